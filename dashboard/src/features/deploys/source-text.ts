import type { Deploy } from '../../api/deploys.ts'

export function sourceText({ source }: Pick<Deploy, 'source'>): string {
  if (source === 'starter') return 'Starter site'
  return source === 'archive' ? 'Archive' : 'Folder'
}
