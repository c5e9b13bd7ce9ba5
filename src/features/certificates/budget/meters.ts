import '../tables.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { takeTurn } from '../../../platform/storage/turns.ts'
import {
  askBudget,
  type BudgetAnswer,
  type BudgetEvent,
  type BudgetRequest,
  type CaLimits,
  charge,
  entriesFor,
} from './budget.ts'
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
  for (const [meter, spent_until] of changed) {
    await db
      .insertInto('ca_meters')
      .values({ issuer, meter, spent_until })
      .onConflict((conflict) => conflict.columns(['issuer', 'meter']).doUpdateSet({ spent_until }))
      .execute()
  }
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

/** Meters that are full again say nothing. */
export async function deleteFullMeters(db: Db, now: number): Promise<void> {
  await db.deleteFrom('ca_meters').where('spent_until', '<', now).execute()
}
