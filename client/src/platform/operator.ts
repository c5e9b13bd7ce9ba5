import type { BoundedCount } from './projects.ts'

/** One process of the service, with all of its workers. */
export interface Instance {
  /** Host and port: the same after a restart. */
  name: string
  processId: number
  version: string
  startedAt: string
  seenAt: string
  /** Silent: it has said nothing for 45 seconds, and has not ended in order. */
  state: 'serving' | 'silent'
  workers: number
  /** Whether one of its workers does the work in the background. */
  leads: boolean
  /** Pieces of work that it has under way. */
  leases: number
  /** Since it began. */
  requests: number
  /** Of these, the ones that failed on the side of the service. */
  errors: number
  memoryBytes: number
  /** How busy its busiest worker was of late. */
  busyPercent: number
}

export interface WorkQueue {
  queue: string
  /** All that will be looked at, most of it long after now. */
  waiting: BoundedCount
  due: BoundedCount
  /** Due for more than a minute, and nobody is at it. */
  late: number
  underWay: number
  /** Whose last try ended in an error that nobody expected. */
  retrying: number
  oldestDueAt: string | null
  nextDueAt: string | null
}

/** One thing that is late, or is being tried again. */
export interface PressingWork {
  queue: string
  subject: string
  dueAt: string
  /** Tries in a row that failed. */
  failures: number
  isUnderWay: boolean
}

export interface Backlog {
  queues: WorkQueue[]
  /** The longest due first. */
  pressing: PressingWork[]
}

/** A certificate of the platform's own names, or one that is wanted. */
export interface PlatformCertificate {
  names: string[]
  /** From the operator's files, ordered at an authority, made by the internal CA, or not there yet. */
  source: 'file' | 'authority' | 'internal' | 'missing'
  /** The host of the directory that it was ordered at. */
  authority: string | null
  issuer: string | null
  notAfter: string | null
  /** When the next one is ordered or made; null where it comes from files, or is missing. */
  renewAt: string | null
  /** Orders in a row that came to nothing. */
  failures: number
  lastFailure: { at: string | null; message: string } | null
  nextAttemptAt: string | null
}
