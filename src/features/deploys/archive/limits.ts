import { PetstoreError } from '../../../platform/errors.ts'
import { quotedPath } from '../files/site-path.ts'

export interface DeployLimits {
  /** The upload as it travels. */
  archiveBytesMax: number
  /** Everything that the upload holds, unpacked. */
  inflatedBytesMax: number
  /** Files, folders and everything else that has a name in the archive. */
  entriesMax: number
  fileBytesMax: number
  /** Unpacked bytes for each byte of the archive. */
  inflationRatioMax: number
  /** The ratio is not judged below this size: the padding of a tar alone can shrink a hundredfold. */
  inflationRatioFreeBytes: number
}

const MEGABYTE = 1_000_000

export const DEPLOY_LIMITS: DeployLimits = {
  archiveBytesMax: 100 * MEGABYTE,
  inflatedBytesMax: 500 * MEGABYTE,
  entriesMax: 20_000,
  fileBytesMax: 25 * MEGABYTE,
  inflationRatioMax: 100,
  inflationRatioFreeBytes: MEGABYTE,
}

/** Counts what a deploy holds and refuses it at the first entry that goes too far. */
export class DeployMeter {
  readonly limits: DeployLimits
  /** Bytes of the archive, or undefined where files come one by one and no ratio can be judged. */
  readonly #archiveBytes: number | undefined
  #entries = 0
  #fileBytes = 0

  constructor(limits: DeployLimits, archiveBytes?: number) {
    this.limits = limits
    this.#archiveBytes = archiveBytes
  }

  add(name: string, bytes: number): void {
    this.#entries += 1
    this.#fileBytes += bytes
    this.checkEntryCount(this.#entries)
    if (bytes > this.limits.fileBytesMax) {
      throw tooLarge(
        `The file ${quotedPath(name)} is larger than ${inMegabytes(this.limits.fileBytesMax)}. ` +
          'Make it smaller, or host it elsewhere and link to it.',
      )
    }
    this.checkInflatedBytes(this.#fileBytes, name)
  }

  checkEntryCount(entries: number): void {
    if (entries <= this.limits.entriesMax) return
    throw tooLarge(
      `The deploy has more than ${this.limits.entriesMax} files and folders. Leave out what the site does not need, ` +
        'such as source folders and node_modules.',
    )
  }

  checkInflatedBytes(inflatedBytes: number, lastName: string | undefined): void {
    // Not before it is needed: of a list of many files it took a quarter of the time.
    const place = () => (lastName === undefined ? '' : ` (reached at ${quotedPath(lastName)})`)
    if (inflatedBytes > this.limits.inflatedBytesMax) {
      throw tooLarge(
        `The files of the deploy come to more than ${inMegabytes(this.limits.inflatedBytesMax)}${place()}. ` +
          'Leave out what the site does not need.',
      )
    }
    if (this.#archiveBytes === undefined || inflatedBytes <= this.limits.inflationRatioFreeBytes) return
    if (inflatedBytes > this.limits.inflationRatioMax * this.#archiveBytes) {
      throw tooLarge(
        `The archive unpacks to more than ${this.limits.inflationRatioMax} times its size${place()}. ` +
          'Remove the file that is nearly empty space, or upload the folder with “petstore deploy”.',
      )
    }
  }
}

export const tooLarge = (message: string) => new PetstoreError('payload_too_large', message)

export function inMegabytes(bytes: number): string {
  if (bytes < MEGABYTE) return `${bytes} bytes`
  return `${Number((bytes / MEGABYTE).toFixed(1))} MB`
}
