import type { Clock } from '../../../platform/clock.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { iso } from '../../../platform/iso-date.ts'
import { array, boolean, integer, object, type Static } from '../../../platform/schema.ts'
import { GRANT_MAX, type RowRoom } from '../../../platform/storage/rows/row-room.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import type { Tenant } from '../../../platform/tenant.ts'
import { complete, NewPet } from '../contract.ts'
import { findSentImport } from './queries.ts'
import { storeSentRows } from './sent-writes.ts'

/** A part of a file, read and mapped by whoever sends it. Rows that were left out count as rows all the same. */
export const SentRows = object({
  after: integer({ minimum: 0, rule: 'must be how many rows of the file come before these' }),
  through: integer({ minimum: 1, rule: 'must be how many rows of the file come before what follows these' }),
  animals: array(NewPet, { maxItems: GRANT_MAX, rule: 'must be a list of up to 1,000 animals' }),
  last: boolean({ rule: 'must be true for the last part of the file, false for every other' }),
})

export interface SentImport {
  /** Of the file, from its first one on: they are stored, or were left out. */
  rows: number
  animals: number
  finishedAt: string | null
}

interface SentRowsNeeds {
  storage: AuditedStorage
  clock: Clock
  rooms: { pets: Pick<RowRoom, 'take'> }
}

/**
 * Adds a part of a file, once: the hash names the file, and a part counts only where the import stands just before
 * it. Whoever sends a part twice, or from a second tab, learns where to go on.
 */
export async function importSentRows(
  { storage, clock, rooms }: SentRowsNeeds,
  tenant: Tenant,
  sha256: string,
  { after, through, animals, last }: Static<typeof SentRows>,
): Promise<SentImport> {
  requireHash(sha256)
  if (through <= after) throw invalid('Nothing was imported: through must be more than after.')
  const { rows } = await sentImport(storage.read, tenant, sha256)
  if (rows === after && animals.length > 0) {
    const full = await rooms.pets.take(tenant.projectId, animals.length)
    if (full) throw full
  }
  const pets = animals.map(complete)
  const part = { tenant, sha256, after, through, pets, last, now: clock.now() }
  return viewOf((await storage.write(storeSentRows, part)).stored)
}

/** Where the import of a file stands; of one that nobody has sent, at its beginning. */
export async function sentImport(db: Db, tenant: Tenant, sha256: string): Promise<SentImport> {
  requireHash(sha256)
  return viewOf(await findSentImport(db, tenant, sha256))
}

function requireHash(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw notFound('An import is named by a SHA-256 in hexadecimal digits.')
}

const viewOf = (found: Awaited<ReturnType<typeof findSentImport>>): SentImport => ({
  rows: found?.lines ?? 0,
  animals: found?.animals ?? 0,
  finishedAt: found?.finished_at == null ? null : iso(found.finished_at),
})
