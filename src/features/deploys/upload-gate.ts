import { unavailable } from '../../platform/errors.ts'
import { ShareRefusal } from '../../platform/share.ts'
import { FairPlaces } from '../../platform/thread/fair-places.ts'

const UPLOADS_MAX = 128
/** Twice as many as `petstore deploy` sends at once. */
export const UPLOADS_OF_PROJECT_MAX = 12
/** A quarter of all: one person may have twenty projects. */
const UPLOADS_OF_ACCOUNT_MAX = 32
/** Three files of the largest size, of one project and of one account. */
const ANNOUNCED_BYTES_MAX = 75_000_000

const BYTES_IN_MEMORY_MAX = 100_000_000
/** What is left to accounts of which little has arrived when others have filled the rest. */
const BYTES_IN_RESERVE = 50_000_000
/** One file of the largest size. */
const LITTLE_BYTES_MAX = 25_000_000

/**
 * Archives of which files are in memory: while those of one are packed, those of another are read. An archive of 0.3 MB
 * can hold files of the largest size, and all that may be under way came to more than 3 GB of them.
 */
const UNPACKING_MAX = 2

export interface UploadPlace {
  projectId: number
  /** Of whoever sends it, or has made the token that does. */
  accountId: string
  announcedBytes: number
}

interface Held {
  uploads: number
  announcedBytes: number
  /** Have arrived, and are in memory. */
  keptBytes: number
}

/**
 * Bounds what uploads take of this process, and what those of one project and of one account take of it. These are
 * judged by what they announce, before anything is sent; the process by what has arrived: who announces much and sends
 * little takes a place of their own, and no memory of others.
 */
export class UploadGate {
  /** By account: who sends many archives waits for their own. */
  readonly unpacking = new FairPlaces(UNPACKING_MAX)
  readonly #all: Held = nothing()
  readonly #projects = new Map<number, Held>()
  readonly #accounts = new Map<string, Held>()

  /** How many uploads of a project are under way. */
  underWay(projectId: number): number {
    return this.#projects.get(projectId)?.uploads ?? 0
  }

  /** `keep` counts bytes that have arrived and stay in memory until the upload has ended. */
  async run<Value>(
    { projectId, accountId, announcedBytes }: UploadPlace,
    upload: (keep: (bytes: number) => void) => Promise<Value>,
  ): Promise<Value> {
    const ofProject = this.#projects.get(projectId) ?? nothing()
    const ofAccount = this.#accounts.get(accountId) ?? nothing()
    refuseOver(ofProject, 'project', UPLOADS_OF_PROJECT_MAX, announcedBytes)
    refuseOver(ofAccount, 'account', UPLOADS_OF_ACCOUNT_MAX, announcedBytes)
    if (this.#all.uploads >= UPLOADS_MAX) throw full()
    this.#projects.set(projectId, ofProject)
    this.#accounts.set(accountId, ofAccount)
    const holders = [this.#all, ofProject, ofAccount]
    const count = (uploads: number, announced: number, kept: number) => {
      for (const held of holders) {
        held.uploads += uploads
        held.announcedBytes += announced
        held.keptBytes += kept
      }
    }
    let kept = 0
    const keep = (bytes: number) => {
      const isLittle = ofAccount.keptBytes + bytes <= LITTLE_BYTES_MAX
      const bytesMax = BYTES_IN_MEMORY_MAX + (isLittle ? BYTES_IN_RESERVE : 0)
      if (this.#all.keptBytes > kept && this.#all.keptBytes + bytes > bytesMax) throw full()
      kept += bytes
      count(0, 0, bytes)
    }
    count(1, announcedBytes, 0)
    try {
      return await upload(keep)
    } finally {
      count(-1, -announcedBytes, -kept)
      if (ofProject.uploads === 0) this.#projects.delete(projectId)
      if (ofAccount.uploads === 0) this.#accounts.delete(accountId)
    }
  }
}

const nothing = (): Held => ({ uploads: 0, announcedBytes: 0, keptBytes: 0 })

function refuseOver(held: Held, holder: 'project' | 'account', uploadsMax: number, announcedBytes: number): void {
  const isFull = held.uploads >= uploadsMax || held.announcedBytes + announcedBytes > ANNOUNCED_BYTES_MAX
  if (held.uploads === 0 || !isFull) return
  const uploads = held.uploads === 1 ? 'One upload' : `${held.uploads} uploads`
  throw new ShareRefusal(`${uploads} of this ${holder} fill its share. Nothing was changed: send this one after.`, 2000)
}

const full = () => unavailable('Many uploads are under way. Nothing was changed: send this one again.', undefined, 2)
