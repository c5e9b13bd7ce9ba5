import { useSyncExternalStore } from 'react'
import type { KeptImport } from './kept-import.ts'

export interface RunningImport {
  job: KeptImport
  /** Rows of the file, and how many of them are done with. */
  rows: number
  done: number
  animals: number
  /** Why it waits for somebody, and what they can do; null while it runs. */
  paused: { why: unknown; goOn(): void } | null
  stop(): void
}

let running: RunningImport | null = null
const listeners = new Set<() => void>()

/** One at a time. */
export const useRunningImport = (): RunningImport | null => useSyncExternalStore(subscribe, () => running)

export const isImporting = () => running !== null

/** For whoever runs it. */
export function showImport(next: RunningImport | null): void {
  running = next
  listeners.forEach((listener) => listener())
}

export const changeImport = (change: Partial<RunningImport>) => showImport(running && { ...running, ...change })

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
