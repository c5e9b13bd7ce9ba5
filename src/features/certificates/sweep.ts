import './tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { deleteMeters, deleteSomeFullMeters } from './budget/meters.ts'

const EXPIRED_KEPT_MS = 30 * DAY_MS

/** A step; whether there was anything. */
export async function sweepCertificates(db: Db, now: number): Promise<boolean> {
  const expired = sql`not_after < ${now - EXPIRED_KEPT_MS}`
  // What is still to be renewed has ended, and is not wanted for the first time.
  const unwanted = sql`${expired} and hostname not in (select hostname from issuances)`
  if (await deleteSome(db, { table: 'certificates', key: ['id'], where: unwanted })) return true
  if (await deleteSome(db, { table: 'revoked_certificates', key: ['serial'], where: expired })) return true
  return deleteSomeFullMeters(db, now)
}

/** What was planned while the clock was ahead: the next look plans it anew. */
export async function forgetPlans(db: Db, now: number): Promise<void> {
  await db.updateTable('issuances').set({ next_attempt_at: null }).where('next_attempt_at', '>', now).execute()
  await db.updateTable('certificates').set({ advice_due_at: now }).where('advice_due_at', '>', now).execute()
  await deleteMeters(db)
}
