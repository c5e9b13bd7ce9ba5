import '../tables.ts'
import { sql } from 'kysely'
import { deleteSome } from '../../../platform/storage/delete-some.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { takeTurn } from '../../../platform/storage/turns.ts'
import {
  askBudget,
  type BudgetAnswer,
  type BudgetEvent,
  type BudgetRequest,
  charge,
  entriesFor,
  retryAfterMeter,
} from './budget.ts'
import type { Rest, Standing } from '../choice/authority.ts'
import type { CaLimits } from './limits.ts'
import { readMeters } from '../queries.ts'

export async function chargeBudget(
  db: Db,
  engine: Engine,
  { issuer, limits, now }: { issuer: string; limits: CaLimits | undefined; now: number },
  event: BudgetEvent,
): Promise<void> {
  if (!limits) return
  await takeBudgetTurn(db, engine, issuer)
  const touched = [...charge(limits, new Map(), event, now).keys()]
  const changed = charge(limits, await readMeters(db, issuer, touched), event, now)
  for (const [meter, spent_until] of changed) await setMeter(db, { issuer, meter, spent_until })
}

/** The authority asked to be left alone about a name. */
export async function keepRetryAfter(db: Db, issuer: string, hostname: string, until: number): Promise<void> {
  await setMeter(db, { issuer, meter: retryAfterMeter(hostname), spent_until: until })
}

/** Others are asked before this authority until then: about a name, or about every name where it is undefined. */
export async function keepRest(db: Db, issuer: string, { hostname, until }: Rest): Promise<void> {
  await setMeter(db, { issuer, meter: restMeter(hostname), spent_until: until })
}

const restMeter = (hostname: string | undefined) => `rests:${hostname ?? ''}`

/** How each of these issuers stands to a name. */
export async function findStandings(
  db: Db,
  issuers: readonly string[],
  hostname: string,
  now: number,
): Promise<Map<string, Standing>> {
  const names = [retryAfterMeter(hostname), restMeter(hostname), restMeter(undefined)]
  const found = await Promise.all(
    issuers.map(async (issuer): Promise<[string, Standing]> => {
      const meters = await readMeters(db, issuer, names)
      const [retryAt = 0, ...rests] = names.map((name) => meters.get(name) ?? 0)
      const restsUntil = Math.max(...rests)
      return [issuer, { retryAt: retryAt > now ? retryAt : undefined, restsUntil: restsUntil > now ? restsUntil : 0 }]
    }),
  )
  return new Map(found)
}

/** Until when; names about which it may be asked are missing. */
export async function findRetryAfters(
  db: Db,
  issuer: string,
  hostnames: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const meters = await readMeters(db, issuer, hostnames.map(retryAfterMeter))
  return new Map(
    hostnames.flatMap((hostname): [string, number][] => {
      const until = meters.get(retryAfterMeter(hostname)) ?? 0
      return until > now ? [[hostname, until]] : []
    }),
  )
}

async function setMeter(db: Db, row: { issuer: string; meter: string; spent_until: number }): Promise<void> {
  const { spent_until } = row
  await db
    .insertInto('ca_meters')
    .values(row)
    .onConflict((conflict) => conflict.columns(['issuer', 'meter']).doUpdateSet({ spent_until }))
    .execute()
}

/** What an order would meet now. */
export async function budgetFor(
  db: Db,
  issuer: string,
  limits: CaLimits | undefined,
  request: BudgetRequest,
  now: number,
): Promise<BudgetAnswer> {
  if (!limits) return { allowed: true, left: [] }
  const entries = entriesFor(limits, request).map(({ meter }) => meter)
  return askBudget(limits, await readMeters(db, issuer, entries), request, now)
}

/** Several instances spend from one account: they read and write its meters one after the other. */
export async function takeBudgetTurn(db: Db, engine: Engine, issuer: string): Promise<void> {
  await takeTurn(db, engine, `budget ${issuer}`)
}

/** Meters that are full again say nothing. A step; whether there was anything. */
export function deleteSomeFullMeters(db: Db, now: number): Promise<boolean> {
  const full = sql`spent_until < ${now}`
  return deleteSome(db, { table: 'ca_meters', key: ['issuer', 'meter'], where: full, still: full })
}

/** Once the clock was wrong nobody knows what of it still counts: the authority does, and says so. */
export async function deleteMeters(db: Db): Promise<void> {
  await db.deleteFrom('ca_meters').execute()
}
