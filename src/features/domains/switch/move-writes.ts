import './tables.ts'
import type { Clock } from '../../../platform/clock.ts'
import { defineWrite, type Storage } from '../../../platform/storage/storage.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import type { NameserverRow } from '../diagnosis/diagnose.ts'
import { advanceMove, type Move, waitFor } from './move.ts'

export async function findMove(db: Db, domainId: string): Promise<Move | undefined> {
  const row = await db.selectFrom('domain_moves').selectAll().where('domain_id', '=', domainId).executeTakeFirst()
  return (
    row && {
      oldAnswers: JSON.parse(row.old_answers) as string[],
      nameservers: JSON.parse(row.nameservers) as string[],
      oldTtlSeconds: row.old_ttl,
      oldUntil: row.old_until,
      oldSeenAt: row.old_seen_at,
      newSeenAt: row.new_seen_at,
      allNewAt: row.all_new_at,
    }
  )
}

/** Since when a nameserver of these domains has led here. */
export async function findSwitches(db: Db, domainIds: readonly string[]): Promise<Map<string, number>> {
  if (domainIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('domain_moves')
    .select(['domain_id', 'new_seen_at'])
    .where('domain_id', 'in', domainIds)
    .where('new_seen_at', 'is not', null)
    .execute()
  return new Map(rows.map(({ domain_id, new_seen_at }) => [domain_id, new_seen_at as number]))
}

interface Sighting {
  domainId: string
  rows: readonly NameserverRow[]
  resolversUntil: number
  now: number
}

/** The domain may have gone meanwhile. */
const keepSighting = defineWrite('moves.keep', async (db, sighting: Sighting) => {
  const { domainId, rows, resolversUntil, now } = sighting
  const known = await findMove(db, domainId)
  const move = waitFor(advanceMove(known, rows, now), resolversUntil)
  if (move === undefined || move === known) return
  const columns = {
    old_answers: JSON.stringify(move.oldAnswers),
    nameservers: JSON.stringify(move.nameservers),
    old_ttl: move.oldTtlSeconds,
    old_until: move.oldUntil,
    old_seen_at: move.oldSeenAt,
    new_seen_at: move.newSeenAt,
    all_new_at: move.allNewAt,
  }
  const domain = await db.selectFrom('domains').select('id').where('id', '=', domainId).executeTakeFirst()
  if (domain === undefined) return
  await db
    .insertInto('domain_moves')
    .values({ domain_id: domainId, ...columns })
    .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(columns))
    .execute()
})

/**
 * Told of every look at a domain's nameservers while it may be on its way here, and until when a resolver that was
 * asked still has the old answer.
 */
export type WatchMove = (
  domain: { id: string; verified_at: number | null },
  rows: readonly NameserverRow[],
  resolversUntil?: number,
) => Promise<void>

/** The nameservers of a domain that has arrived are not watched any more: where it drifts to later is no old host. */
export function watchMoves({ storage, clock }: { storage: Storage; clock: Clock }): WatchMove {
  return async ({ id, verified_at }, rows, resolversUntil = 0) => {
    const known = verified_at === null ? undefined : await findMove(storage.read, id)
    if (verified_at !== null && known === undefined) return
    const watched = known && known.allNewAt !== null ? [] : rows
    if (watched.length === 0 && resolversUntil === 0) return
    await storage.write(keepSighting, { domainId: id, rows: watched, resolversUntil, now: clock.now() })
  }
}
