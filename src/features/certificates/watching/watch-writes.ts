import '../tables.ts'
import { iso } from '../../../platform/iso-date.ts'
import type { AuditNote } from '../../../platform/storage/audit-note.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { takeTurn } from '../../../platform/storage/turns.ts'
import { servedRightNews, servedWrongNews } from '../../domains/notifications/news.ts'
import { findLastNews, notify } from '../../domains/notifications/notifications.ts'
import { findServedDomain } from '../../domains/queries.ts'
import { expiringNote, tellOfLife } from '../order/trouble.ts'
import { SERVED_WORDS, type ServedProblem } from './judge.ts'
import type { Seen } from './look.ts'

/** What was seen of one name. */
export interface Look {
  hostname: string
  seen: Seen
  problem: ServedProblem | null
}

interface Looks {
  instance: string
  /** All of them names of the platform itself, or none. */
  isPlatforms: boolean
  looks: readonly Look[]
  now: number
}

/** Keeps what an instance was seen to serve, and tells people of what changes, whichever instance sees it first. */
export const recordLooks = defineWrite(
  'certificates.recordLooks',
  async (db, { instance, isPlatforms, looks, now }: Looks, engine) => {
    const hostnames = looks.map(({ hostname }) => hostname)
    const before = await wrongNames(db, instance, hostnames)
    const changed = looks.filter(({ hostname, problem }) => problem !== null || before.has(hostname))
    await takeServedTurns(
      db,
      engine,
      changed.map(({ hostname }) => hostname),
    )
    for (const { hostname, seen, problem } of looks) {
      const row = {
        seen_at: now,
        serial: seen.certificate?.serial ?? null,
        not_after: seen.certificate?.notAfter ?? null,
        status: seen.status ?? null,
        problem,
      }
      await db
        .insertInto('served_names')
        .values({ instance, hostname, ...row })
        .onConflict((conflict) => conflict.columns(['instance', 'hostname']).doUpdateSet(row))
        .execute()
    }
    const notes: AuditNote[] = []
    for (const { hostname } of changed) notes.push(...(await settleServed(db, engine, hostname, now)))
    for (const hostname of hostnames) {
      const told = await tellOfLife(db, engine, { hostname, isPlatforms }, now)
      if (told) notes.push(expiringNote(hostname, told))
    }
    return notes
  },
  { note: (_, notes) => notes },
)

interface Sweep {
  /** Who sweeps: of its own rows those go that were not looked at since. */
  instance: string
  roundBegan: number
  /** Instances of which nothing was heard since are gone. */
  goneBefore: number
  now: number
}

/** Takes away what nobody serves any more: names that are gone, and instances. */
export const sweepLooks = defineWrite(
  'certificates.sweepLooks',
  async (db, { instance, roundBegan, goneBefore, now }: Sweep, engine) => {
    const heard = await db
      .selectFrom('served_names')
      .select(['instance', (eb) => eb.fn.max('seen_at').as('at')])
      .groupBy('instance')
      .execute()
    const gone = heard.filter(({ at }) => Number(at) < goneBefore).map((row) => row.instance)
    const removed = await db
      .deleteFrom('served_names')
      .where((eb) =>
        eb.or([
          eb.and([eb('instance', '=', instance), eb('seen_at', '<', roundBegan)]),
          ...(gone.length > 0 ? [eb('instance', 'in', gone)] : []),
        ]),
      )
      .returning(['hostname', 'problem'])
      .execute()
    const wrong = [...new Set(removed.filter(({ problem }) => problem !== null).map(({ hostname }) => hostname))]
    await takeServedTurns(db, engine, wrong)
    const notes: AuditNote[] = []
    for (const hostname of wrong) notes.push(...(await settleServed(db, engine, hostname, now)))
    return notes
  },
  { note: (_, notes) => notes },
)

async function wrongNames(db: Db, instance: string, hostnames: readonly string[]): Promise<Set<string>> {
  if (hostnames.length === 0) return new Set()
  const rows = await db
    .selectFrom('served_names')
    .select('hostname')
    .where('instance', '=', instance)
    .where('hostname', 'in', hostnames)
    .where('problem', 'is not', null)
    .execute()
  return new Set(rows.map(({ hostname }) => hostname))
}

const takeServedTurns = (db: Db, engine: Engine, hostnames: readonly string[]) =>
  hostnames.length === 0
    ? undefined
    : takeTurn(
        db,
        engine,
        hostnames.map((hostname) => `served ${hostname}`),
      )

/** Says once for the whole fleet that a name is served wrongly somewhere, and once that it no longer is. */
async function settleServed(db: Db, engine: Engine, hostname: string, now: number): Promise<AuditNote[]> {
  const [domain] = await findServedDomain(db, { hostname })
  if (!domain) return []
  const wrong = await db
    .selectFrom('served_names')
    .select(['instance', 'problem'])
    .where('hostname', '=', hostname)
    .where('problem', 'is not', null)
    .orderBy('instance')
    .executeTakeFirst()
  const isTold = (await findLastNews(db, domain.id, ['served_wrong', 'served_right']))?.kind === 'served_wrong'
  if ((wrong !== undefined) === isTold) return []
  const subject = { subject: hostname, projectId: domain.project_id }
  if (!wrong?.problem) {
    await notify(db, engine, servedRightNews(domain, now), now)
    return [{ verb: 'domain.served_right', ...subject, details: { at: iso(now) } }]
  }
  await notify(db, engine, servedWrongNews(domain, wrong.instance, SERVED_WORDS[wrong.problem], now), now)
  return [{ verb: 'domain.served_wrong', ...subject, details: { instance: wrong.instance, problem: wrong.problem } }]
}
