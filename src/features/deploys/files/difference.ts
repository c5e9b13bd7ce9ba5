import type { DeployedFile } from '../sites.ts'

interface FileChange {
  path: string
  bytes: number
  change: 'added' | 'changed' | 'removed' | 'same'
}

export interface FileDifference {
  counts: Record<FileChange['change'], number>
  /** What differs first, then the rest, each by path. */
  files: FileChange[]
  /** Not all of them are listed. */
  more: boolean
}

/** Enough to read; a site may have twenty thousand. */
const LISTED_MAX = 1000

type Pages = AsyncIterable<Pick<DeployedFile, 'path' | 'sha256' | 'encodings'>[]>

/** Two lists of files, each in the order of its paths, side by side. */
export async function fileDifference(files: Pages, before: Pages): Promise<FileDifference> {
  const known = new Map<string, { sha256: string; bytes: number }>()
  for await (const page of before) {
    for (const { path, sha256, encodings } of page) known.set(path, { sha256, bytes: encodings.identity })
  }
  const counts = { added: 0, changed: 0, removed: 0, same: 0 }
  const [different, same]: [FileChange[], FileChange[]] = [[], []]
  const note = (file: FileChange) => {
    counts[file.change]++
    const list = file.change === 'same' ? same : different
    if (list.length < LISTED_MAX) list.push(file)
  }
  for await (const page of files) {
    for (const { path, sha256, encodings } of page) {
      const old = known.get(path)
      const change = old === undefined ? 'added' : old.sha256 === sha256 ? 'same' : 'changed'
      note({ path, bytes: encodings.identity, change })
      known.delete(path)
    }
  }
  for (const [path, { bytes }] of known) note({ path, bytes, change: 'removed' })
  const listed = [...different.toSorted((a, b) => (a.path < b.path ? -1 : 1)), ...same].slice(0, LISTED_MAX)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { counts, files: listed, more: listed.length < total }
}
