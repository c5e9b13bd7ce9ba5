import { PetstoreError, unavailable } from '../../../platform/errors.ts'
import { quotedPath } from '../files/site-path.ts'

/** What a format offers: first all names, then the contents of the chosen entries, in the archive's order. */
export interface ArchiveReader {
  entries(): AsyncIterable<ArchiveEntry>
  contents(isWanted: (index: number) => boolean): AsyncIterable<{ index: number; bytes: Buffer }>
}

export interface ArchiveEntry {
  name: string
  isDirectory: boolean
}

export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz'

/** Refuses one entry, for which `what` is the rest of the sentence. */
export function damagedEntry(format: ArchiveFormat, name: string, what: string, cause?: unknown): PetstoreError {
  const message = `The entry ${quotedPath(name)} ${what}: the ${format} archive is damaged. ${REMEDY}`
  return new PetstoreError('invalid_request', message, { cause })
}

/** What a failed walk through an archive means for the person who uploaded it. */
export function archiveFailure(format: ArchiveFormat, lastName: string | undefined, cause: unknown): PetstoreError {
  if (cause instanceof PetstoreError) return cause
  if (isSystemError(cause)) {
    return unavailable('The server cannot read the upload back. Try again in a minute.', cause, 60)
  }
  const place = lastName === undefined ? 'from its start' : `after the entry ${quotedPath(lastName)}`
  const message = `The ${format} archive is damaged or cut off ${place}. ${REMEDY}`
  return new PetstoreError('invalid_request', message, { cause })
}

const isSystemError = (cause: unknown) => cause instanceof Error && 'syscall' in cause

const REMEDY = 'Make the archive again and upload it whole.'
