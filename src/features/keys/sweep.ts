import './tables.ts'
import './tokens/tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** Long enough to see in the list what a program was refused with; the audit log knows for longer who ended it. */
const ENDED_KEPT_MS = 90 * DAY_MS

/** Of a project, beyond which the oldest go earlier: whoever makes and revokes without end fills no table by it. */
export const ENDED_KEPT = 500
/** More than the one that comes, so that a pile from before goes down; few, because somebody waits. */
const ENDED_PER_STEP = 10

/** Takes away keys and tokens that ended long ago; true: there may be more. What a key was used for goes before it. */
export async function sweepKeys(db: Db, now: number): Promise<boolean> {
  const before = now - ENDED_KEPT_MS
  const ended = sql`(revoked_at < ${before} or expires_at < ${before})`
  const ofEnded = sql`key_id in (select id from keys where ${ended})`
  if (await deleteSome(db, { table: 'key_usage', key: ['key_id', 'operation', 'hour'], where: ofEnded })) return true
  const isMore = await deleteSome(db, { table: 'keys', key: ['id'], where: ended })
  return (await deleteSome(db, { table: 'tokens', key: ['id'], where: ended })) || isMore
}

/** For the transaction that makes one, in the turn of those who do. */
export async function forgetEnded(
  db: Db,
  table: 'keys' | 'tokens',
  { projectId, now }: { projectId: number; now: number },
): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)}
      where project_id = ${projectId} and (revoked_at is not null or expires_at <= ${now})
      order by created_at desc, id desc limit ${ENDED_PER_STEP} offset ${ENDED_KEPT}
    )`.execute(db)
}
