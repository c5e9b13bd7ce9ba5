import { isJunk } from '../../../../client/src/platform/junk.ts'
import { countText } from '../../parts/count-text.ts'

export interface SiteFile {
  /** Within the site: `css/site.css`. */
  path: string
  file: File
}

type Dropped = File & { path?: string; relativePath?: string }

export type Drop = { ok: true; files: SiteFile[]; what: string } | { ok: false; message: string }

const MEGABYTE = 1_000_000
const ARCHIVE_BYTES_MAX = 100 * MEGABYTE

export const isArchive = (name: string) => /\.(?:zip|tar|tar\.gz|tgz)$/i.test(name)

/** Says what was dropped: one archive, or the files of a site. */
export function readDrop(dropped: readonly Dropped[]): Drop {
  const [first] = dropped
  if (!first) return { ok: false, message: 'Nothing was dropped. Drop a folder, or a .zip or .tar.gz archive.' }
  if (dropped.length === 1 && isArchive(first.name)) {
    if (first.size > ARCHIVE_BYTES_MAX)
      return { ok: false, message: 'The archive is larger than 100 MB. Leave out what the site does not need.' }
    return { ok: true, files: [{ path: first.name, file: first }], what: first.name }
  }
  if (!('subtle' in crypto)) {
    return {
      ok: false,
      message: 'Browsers let pages read folders over HTTPS only. Pack the folder as a .zip and drop that.',
    }
  }
  const all = dropped.map((file) => ({ path: pathOf(file), file })).filter(({ path }) => !isJunk(path))
  const files = withoutCommonFolder(all)
  if (files.length === 0) return { ok: false, message: 'The folder is empty. Drop one with an index.html.' }
  if (!files.some(({ path }) => path === 'index.html')) {
    return {
      ok: false,
      message: 'There is no index.html at the top of this folder. Drop the folder that your site is built into.',
    }
  }
  return { ok: true, files, what: countText(files.length, 'file') }
}

function pathOf(file: Dropped): string {
  return (file.webkitRelativePath || file.relativePath || file.path || file.name).replace(/^\.?\//, '')
}

/** What people drop is `dist/…`; what they want to publish is what is in it. */
function withoutCommonFolder(files: SiteFile[]): SiteFile[] {
  const folder = files[0]?.path.split('/', 1)[0]
  const isCommon = folder !== undefined && files.every(({ path }) => path.startsWith(`${folder}/`))
  return isCommon
    ? withoutCommonFolder(files.map(({ path, file }) => ({ path: path.slice(folder.length + 1), file })))
    : files
}
