/**
 * What systems and tools leave behind, and no site means to publish: `.git` is the whole history. The service leaves it
 * out of archives by the same rule; a test holds them together.
 */
export function isJunk(path: string): boolean {
  const segments = path.split('/')
  const name = segments.at(-1) ?? ''
  return segments.some((segment) => JUNK_FOLDERS.has(segment)) || JUNK_FILES.has(name) || name.startsWith('._')
}

const JUNK_FOLDERS = new Set(['__MACOSX', '.git', '.hg', '.svn', '.Spotlight-V100', '.Trashes', '.fseventsd'])
const JUNK_FILES = new Set(['.DS_Store', 'Thumbs.db', 'ehthumbs.db', 'desktop.ini', 'Desktop.ini'])
