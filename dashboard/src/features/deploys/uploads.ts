import { useSyncExternalStore } from 'react'
import type { DeployWish } from '../../api/deploys.ts'
import type { Progress } from './deploy-files.ts'

export interface Upload {
  slug: string
  what: string
  now: Progress
  stop(): void
}

/** One at a time; `failure` is that of the last one, with what was said of it; one that was stopped has no error. */
interface Uploads {
  running: Upload | null
  failure: { account: string; slug: string; error: unknown; wish: DeployWish } | null
}

let uploads: Uploads = { running: null, failure: null }
const listeners = new Set<() => void>()

export const useUploads = (): Uploads => useSyncExternalStore(subscribe, () => uploads)

/** For whoever runs it. */
export function showUploads(next: Uploads): void {
  uploads = next
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isUploading = () => uploads.running !== null
