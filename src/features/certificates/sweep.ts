import './tables.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { deleteFullMeters, deleteMeters } from './budget/meters.ts'

const EXPIRED_KEPT_MS = 30 * DAY_MS

export async function sweepCertificates(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('certificates')
    .where('not_after', '<', now - EXPIRED_KEPT_MS)
    // What is still to be renewed has ended, and is not wanted for the first time.
    .where('hostname', 'not in', (eb) => eb.selectFrom('issuances').select('hostname'))
    .execute()
  await db
    .deleteFrom('revoked_certificates')
    .where('not_after', '<', now - EXPIRED_KEPT_MS)
    .execute()
  await deleteFullMeters(db, now)
}

/** What was planned while the clock was ahead: the next look plans it anew. */
export async function forgetPlans(db: Db, now: number): Promise<void> {
  await db.updateTable('issuances').set({ next_attempt_at: null }).where('next_attempt_at', '>', now).execute()
  await db.updateTable('certificates').set({ advice_due_at: now }).where('advice_due_at', '>', now).execute()
  await deleteMeters(db)
}
