import type { DeployResult, DeployWish } from '../../api/deploys.ts'
import { platformOf } from '../../api/platform.ts'
import { uploads } from '../../api/upload.ts'
import { isArchive, type SiteFile } from './dropped.ts'

export interface Progress {
  stage: 'reading' | 'sending' | 'publishing'
  /** From 0 to 1. */
  share: number
}

interface Run {
  /** Of whoever publishes. */
  account: string
  slug: string
  wish: DeployWish
  signal: AbortSignal
  progress(now: Progress): void
}

const BLOBS_AT_ONCE = 4

/** An archive travels in one piece; a folder sends only what the service does not have yet. */
export function deployFiles(run: Run, files: readonly SiteFile[]): Promise<DeployResult> {
  const [only] = files
  return files.length === 1 && only && isArchive(only.file.name)
    ? deployArchive(run, only.file)
    : deployFolder(run, files)
}

async function deployArchive({ account, slug, wish, signal, progress }: Run, archive: File): Promise<DeployResult> {
  progress({ stage: 'sending', share: 0 })
  const uploading = uploads(account, (bytes) =>
    progress(
      bytes < archive.size ? { stage: 'sending', share: bytes / archive.size } : { stage: 'publishing', share: 1 },
    ),
  )
  return uploading.call('POST /projects/{project}/deploys/archive', {
    project: slug,
    query: wish,
    body: archive,
    signal,
  })
}

async function deployFolder(run: Run, files: readonly SiteFile[]): Promise<DeployResult> {
  const { account, slug, wish, signal, progress } = run
  const hashed: { path: string; sha256: string; bytes: number; file: File }[] = []
  for (const { path, file } of files) {
    signal.throwIfAborted()
    hashed.push({ path, sha256: await sha256Of(file), bytes: file.size, file })
    progress({ stage: 'reading', share: hashed.length / files.length })
  }
  const list = { files: hashed.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })) }
  const commit = () =>
    platformOf(account).call('POST /projects/{project}/deploys', { project: slug, query: wish, body: list, signal })

  const first = await commit()
  if (first.state !== 'incomplete') return first
  const byHash = new Map(hashed.map((entry) => [entry.sha256, entry.file]))
  await sendBlobs(
    run,
    first.missing.map(({ sha256 }) => [sha256, byHash.get(sha256) as File]),
  )
  progress({ stage: 'publishing', share: 1 })
  const second = await commit()
  if (second.state !== 'incomplete') return second
  // Each file that was taken was as its hash says: what is gone has made room for the list of another deploy.
  throw new Error(
    'Another deploy of this project began meanwhile and took the place of this one: there is no room for the files ' +
      'of both. Nothing of yours is published. Drop the folder again once that one is done.',
  )
}

async function sendBlobs(
  { account, slug, signal, progress }: Run,
  blobs: (readonly [sha256: string, file: File])[],
): Promise<void> {
  const total = blobs.reduce((sum, [, file]) => sum + file.size, 0) || 1
  const sent = new Map<string, number>()
  const waiting = [...blobs]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [sha256, file] = next
      const uploading = uploads(account, (bytes) => {
        sent.set(sha256, bytes)
        progress({
          stage: 'sending',
          share: Math.min(1, [...sent.values()].reduce((sum, each) => sum + each, 0) / total),
        })
      })
      await uploading.call('PUT /projects/{project}/blobs/{sha256}', { project: slug, sha256, body: file, signal })
    }
  }
  await Promise.all(Array.from({ length: BLOBS_AT_ONCE }, work))
}

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
