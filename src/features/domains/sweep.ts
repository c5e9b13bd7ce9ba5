import './tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { deleteSomeOldNotifications } from './notifications/notifications.ts'

/** Long enough to answer “what happened to that domain?”; evidence is asked about for a shorter time. */
const REMOVED_KEPT_MS = 183 * DAY_MS
const EVIDENCE_KEPT_MS = 30 * DAY_MS

/** Takes away some of what nobody asks about any more, and says whether there was any. Holders are never forgotten. */
export async function sweepDomains(db: Db, now: number): Promise<boolean> {
  const ofRemoved = sql`domain_id in (select id from domains where removed_at < ${now - EVIDENCE_KEPT_MS})`
  if (await deleteSome(db, { table: 'domain_checks', key: ['id'], where: ofRemoved })) return true
  const forgotten = sql`removed_at < ${now - REMOVED_KEPT_MS}`
  if (await deleteSome(db, { table: 'domains', key: ['id'], where: forgotten })) return true
  return deleteSomeOldNotifications(db, now)
}
