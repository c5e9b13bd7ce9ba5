import './tables.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { finishWork, holdLease, type Lease } from '../../platform/work/lease.ts'
import { issuanceProblem } from './acme/issuance-problem.ts'
import type { BudgetRequest, CaLimits } from './budget.ts'
import { ensureIssuance } from './issuance-row.ts'
import type { IssuanceOrder } from './issuer.ts'
import { askMeters, chargeBudget, takeBudgetTurn } from './meters.ts'

export interface NewOrder {
  lease: Lease
  order: IssuanceOrder
  sealedKey: string
  /** Null where the issuer has no limits. */
  limits: CaLimits | null
  now: number
}

/** The order is paid for and stored before the authority hears of it: a crash then errs on the safe side. */
export const beginOrder = defineWrite('certificates.beginOrder', async (db, input: NewOrder, engine) => {
  const { lease, order, sealedKey, limits, now } = input
  const hostname = lease.subject
  if (!(await holdLease(db, engine, lease))) return { kind: 'lost' as const }
  const request: BudgetRequest = { names: order.names, replacing: order.replaces !== null }
  await takeBudgetTurn(db, engine, order.issuer)
  const answer = await askMeters(db, order.issuer, limits, request, now)
  await ensureIssuance(db, hostname, now)
  if (!answer.allowed) {
    await finishWork(db, engine, lease, { nextDueAt: answer.at })
    const problem = issuanceProblem('rate_limited', { hostname, detail: `our own budget: ${answer.decidedBy.limit}` })
    const { at } = answer
    await db
      .updateTable('issuances')
      .set({ problem: JSON.stringify(problem) })
      .where('hostname', '=', hostname)
      .execute()
    return { kind: 'over_budget' as const, at }
  }
  await chargeBudget(db, engine, { issuer: order.issuer, limits, now }, { kind: 'ordered', ...request })
  await db
    .updateTable('issuances')
    .set({ issuance_order: JSON.stringify(order), sealed_key: sealedKey, attempted_at: now })
    .where('hostname', '=', hostname)
    .execute()
  return { kind: 'begun' as const }
})

interface OrderStep {
  lease: Lease
  order: IssuanceOrder
}

/** After every step, with the answers that every instance has to give from now on. False when the lease is lost. */
export const saveOrder = defineWrite('certificates.saveOrder', async (db, { lease, order }: OrderStep, engine) => {
  if (!(await holdLease(db, engine, lease))) return false
  await db
    .updateTable('issuances')
    .set({ issuance_order: JSON.stringify(order) })
    .where('hostname', '=', lease.subject)
    .execute()
  for (const { hostname, token, type, keyAuthorization: key_authorization } of order.answers) {
    await db
      .insertInto('challenge_answers')
      .values({ hostname, token, type, key_authorization })
      .onConflict((conflict) => conflict.columns(['hostname', 'token']).doUpdateSet({ type, key_authorization }))
      .execute()
  }
  return true
})

/** Not yet: the same order goes on later. */
export const pauseOrder = defineWrite('certificates.pauseOrder', (db, input: { lease: Lease; dueAt: number }, engine) =>
  finishWork(db, engine, input.lease, { nextDueAt: input.dueAt }),
)
