import type { Columns, ImportFormat } from './read-file.ts'

/**
 * One name for a file and how its columns are read: the same file is not added twice, whoever sends it and from where.
 * Pages over plain HTTP have no hashes; there a name is drawn, which is good for this one import.
 */
export async function fingerprintOf(file: Blob, format: ImportFormat, columns: Columns): Promise<string> {
  // Not declared as such, but missing on pages over plain HTTP.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (!subtle) return hex(crypto.getRandomValues(new Uint8Array(32)))
  const read = JSON.stringify([format, Object.entries(columns).toSorted()])
  const bytes = await new Blob([`${read}\n`, file]).arrayBuffer()
  return hex(new Uint8Array(await subtle.digest('SHA-256', bytes)))
}

/** For adding a file once more: a name that follows from the one before, so that this can be sent twice as well. */
export async function nextFingerprint(sha256: string): Promise<string> {
  return fingerprintOf(new Blob([sha256]), 'csv', {})
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
