import './tables.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { deleteOldNotifications } from './notifications/notifications.ts'

/** Long enough to answer “what happened to that domain?”; evidence is asked about for a shorter time. */
const REMOVED_KEPT_MS = 183 * DAY_MS
const EVIDENCE_KEPT_MS = 30 * DAY_MS

/** Takes away what nobody asks about any more. Who has held a hostname is never forgotten. */
export async function sweepDomains(db: Db, now: number): Promise<void> {
  const removedBefore = (at: number) => db.selectFrom('domains').select('id').where('removed_at', '<', at)
  await db
    .deleteFrom('domain_checks')
    .where('domain_id', 'in', removedBefore(now - EVIDENCE_KEPT_MS))
    .execute()
  await db
    .deleteFrom('domains')
    .where('removed_at', '<', now - REMOVED_KEPT_MS)
    .execute()
  await deleteOldNotifications(db, now)
}
