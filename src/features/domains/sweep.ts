import './tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** Long enough to answer “what happened to that domain?”; evidence is asked about for a shorter time. */
const REMOVED_KEPT_MS = 183 * DAY_MS
const EVIDENCE_KEPT_MS = 30 * DAY_MS

/**
 * Evidence about removed domains. A step; whether there was any. Most have none any more, and are passed over before
 * they are gathered: that takes a third of the time.
 */
export function sweepChecks(db: Db, now: number): Promise<boolean> {
  const own = sql`select 1 from domain_checks as own where own.domain_id = domains.id`
  const isOver = sql`removed_at < ${now - EVIDENCE_KEPT_MS} and exists (${own})`
  const where = sql`domain_id in (select id from domains where ${isOver} limit 1000)`
  return deleteSome(db, { table: 'domain_checks', key: ['id'], where })
}

/** What nobody asks about any more. A step; whether there was any. Who has held a hostname is never forgotten. */
export function sweepDomains(db: Db, now: number): Promise<boolean> {
  return deleteSome(db, { table: 'domains', key: ['id'], where: sql`removed_at < ${now - REMOVED_KEPT_MS}` })
}
