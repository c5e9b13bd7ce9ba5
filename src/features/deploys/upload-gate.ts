import { unavailable } from '../../platform/errors.ts'
import { ShareRefusal } from '../../platform/share.ts'

const UPLOADS_MAX = 128
const BYTES_IN_MEMORY_MAX = 100_000_000
/** Twice as many as `petstore deploy` sends at once. */
export const UPLOADS_OF_PROJECT_MAX = 12
/** Three files of the largest size. */
const BYTES_OF_PROJECT_MAX = 75_000_000

/**
 * Bounds what uploads take of this process, and what those of one project take of it. A project is judged by what it
 * announces, before anything is sent; the process by what has arrived: who announces much and sends little takes one
 * of the project's own places, and no memory of others.
 */
export class UploadGate {
  #uploads = 0
  #bytes = 0
  readonly #projects = new Map<number, { uploads: number; bytes: number }>()

  /** How many uploads of a project are under way. */
  underWay(projectId: number): number {
    return this.#projects.get(projectId)?.uploads ?? 0
  }

  /** `keep` counts bytes that have arrived and stay in memory until the upload has ended. */
  async run<Value>(
    { projectId, announcedBytes }: { projectId: number; announcedBytes: number },
    upload: (keep: (bytes: number) => void) => Promise<Value>,
  ): Promise<Value> {
    const own = this.#projects.get(projectId) ?? { uploads: 0, bytes: 0 }
    const isOwnFull = own.uploads >= UPLOADS_OF_PROJECT_MAX || own.bytes + announcedBytes > BYTES_OF_PROJECT_MAX
    if (own.uploads > 0 && isOwnFull) {
      const uploads = own.uploads === 1 ? 'One upload' : `${own.uploads} uploads`
      throw new ShareRefusal(
        `${uploads} of this project fill its share. Nothing was changed: send this one after.`,
        2000,
      )
    }
    if (this.#uploads >= UPLOADS_MAX) throw full()
    this.#projects.set(projectId, own)
    let kept = 0
    const keep = (bytes: number) => {
      if (this.#bytes > kept && this.#bytes + bytes > BYTES_IN_MEMORY_MAX) throw full()
      this.#bytes += bytes
      kept += bytes
    }
    this.#uploads++
    own.uploads++
    own.bytes += announcedBytes
    try {
      return await upload(keep)
    } finally {
      this.#uploads--
      this.#bytes -= kept
      own.uploads--
      own.bytes -= announcedBytes
      if (own.uploads === 0) this.#projects.delete(projectId)
    }
  }
}

const full = () => unavailable('Many uploads are under way. Nothing was changed: send this one again.', undefined, 2)
