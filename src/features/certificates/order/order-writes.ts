import '../tables.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { finishWork, holdLease, type Lease } from '../../../platform/work/lease.ts'
import type { BudgetRequest } from '../budget/budget.ts'
import type { CaLimits, LimitName } from '../budget/limits.ts'
import type { IssuanceOrder, IssuanceProblem, IssuanceStep } from '../issuer.ts'
import { type Expiring, expiringNote, tellOfTrouble } from './trouble.ts'
import { budgetFor, chargeBudget, takeBudgetTurn } from '../budget/meters.ts'
import { nextTurnAt, type Turn } from '../budget/next-turn.ts'

/** An order that does not go on, with what its authority allows. */
export interface GivenUp {
  order: IssuanceOrder
  limits: CaLimits | undefined
}

interface NewOrder {
  lease: Lease
  isPlatforms: boolean
  order: IssuanceOrder
  sealedKey: string
  /** In whose place it comes. */
  givenUp: GivenUp | undefined
  /** Undefined where the issuer has no limits. */
  limits: CaLimits | undefined
  turn: Turn
  request: BudgetRequest
  /** When the next attempt comes by itself, where a person has asked for this one. */
  nextByItself: number | undefined
  now: number
}

/** The order is paid for and stored before the authority hears of it: a crash then errs on the safe side. */
export const beginOrder = defineWrite(
  'certificates.beginOrder',
  async (db, input: NewOrder, engine) => {
    const { lease, isPlatforms, order, sealedKey, givenUp, limits, turn, request, nextByItself, now } = input
    const hostname = lease.subject
    if (!(await holdLease(db, engine, lease))) return { kind: 'lost' as const }
    // Sorted, so that no two instances wait for each other.
    const issuers = new Set([order.issuer, givenUp?.order.issuer ?? order.issuer])
    for (const issuer of [...issuers].toSorted()) await takeBudgetTurn(db, engine, issuer)
    const answer = await budgetFor(db, order.issuer, limits, request, now)
    if (limits && !answer.allowed) {
      const dueAt = nextTurnAt(answer, limits, turn, now)
      const problem = heldBack(hostname, answer.decidedBy.limit)
      const told = await putOff(db, engine, { lease, isPlatforms, problem, dueAt, nextByItself, now })
      return { kind: 'over_budget' as const, told }
    }
    await ensureIssuance(db, hostname, now)
    if (givenUp) await dropOrder(db, engine, hostname, { ...givenUp, isOver: false, now })
    await chargeBudget(db, engine, { issuer: order.issuer, limits, now }, { kind: 'ordered', ...request })
    await db
      .updateTable('issuances')
      .set({ issuance_order: JSON.stringify(order), sealed_key: sealedKey })
      .where('hostname', '=', hostname)
      .execute()
    return { kind: 'begun' as const }
  },
  {
    note: ({ lease }, outcome) =>
      'told' in outcome && outcome.told ? expiringNote(lease.subject, outcome.told) : undefined,
  },
)

interface PutOff {
  lease: Lease
  isPlatforms: boolean
  problem: IssuanceProblem
  dueAt: number
  nextByItself: number | undefined
  now: number
}

/** There is no room in the budget: nothing is spent, and people are told. */
export const putOffOrder = defineWrite(
  'certificates.putOffOrder',
  (db, input: PutOff, engine) => putOff(db, engine, input),
  { note: ({ lease }, told) => told && expiringNote(lease.subject, told) },
)

/** What people are told while a limit leaves no room: it is this service that waits, and for what. */
export const heldBack = (hostname: string, limit: LimitName): IssuanceProblem => ({
  code: 'held_back',
  message:
    `This service has not ordered the certificate of ${hostname} yet, to keep to ${LIMIT_WORDS[limit]}. ` +
    'It does so by itself as soon as there is room.',
  detail: limit,
  hostname,
  retryAfterMs: null,
})

const LIMIT_WORDS: Readonly<Record<LimitName, string>> = {
  orders: 'the number of orders that the certificate authority allows',
  certificatesPerRegisteredDomain: 'the number of certificates that the authority allows for the domain in all',
  certificatesPerExactSet: 'the number of certificates that the authority allows for exactly this name',
  failedValidationsPerHostname: 'the number of failed validations that the authority allows for the name',
  ordersPerProject: 'the project’s share of new certificates',
  platformNamesPerAccount: 'the share of new names of the platform that the projects of one owner have',
  retryAfter: 'the time for which the authority asked to be left alone',
}

/** A person's own attempt that finds no room leaves everything as it was. */
async function putOff(db: Db, engine: Engine, input: PutOff): Promise<Expiring | undefined> {
  const { lease, problem, dueAt, nextByItself, now } = input
  const hostname = lease.subject
  if (!(await finishWork(db, engine, lease, { nextDueAt: nextByItself ?? dueAt }))) return undefined
  if (nextByItself !== undefined) return undefined
  await ensureIssuance(db, hostname, now)
  await db
    .updateTable('issuances')
    .set({ problem: JSON.stringify(problem), next_attempt_at: dueAt })
    .where('hostname', '=', hostname)
    .execute()
  return tellOfTrouble(db, engine, { hostname, isPlatforms: input.isPlatforms }, now)
}

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
  for (const { token, type, keyAuthorization: key_authorization } of order.answers) {
    const answer = { type, key_authorization, label: type === 'dns-01' ? (order.challengeLabel ?? null) : null }
    await db
      .insertInto('challenge_answers')
      .values({ hostname: lease.subject, token, ...answer })
      .onConflict((conflict) => conflict.columns(['hostname', 'token']).doUpdateSet(answer))
      .execute()
  }
  return true
})

/** Not yet: the same order goes on later. */
export const pauseOrder = defineWrite('certificates.pauseOrder', (db, input: { lease: Lease; dueAt: number }, engine) =>
  finishWork(db, engine, input.lease, { nextDueAt: input.dueAt }),
)

/** The hostname is served by nobody any more: its order is dropped. Certificates stay, for whoever adds it again. */
export const endIssuance = defineWrite('certificates.end', async (db, { lease }: { lease: Lease }, engine) => {
  if (!(await finishWork(db, engine, lease, { nextDueAt: undefined }))) return false
  await db.deleteFrom('issuances').where('hostname', '=', lease.subject).execute()
  await forgetAnswers(db, lease.subject)
  return true
})

export async function ensureIssuance(db: Db, hostname: string, now: number): Promise<void> {
  const empty = { issuance_order: null, sealed_key: null, attempted_at: null, next_attempt_at: null, problem: null }
  await db
    .insertInto('issuances')
    .values({ hostname, since: now, failures: 0, ...empty })
    .onConflict((conflict) => conflict.column('hostname').doNothing())
    .execute()
}

const MAY_BE_ISSUED: ReadonlySet<IssuanceStep> = new Set(['ready', 'finalizing', 'issued'] as const)

interface DroppedOrder extends GivenUp {
  /** Whether the authority has ended it, or it was only given up. */
  isOver: boolean
  now: number
}

/** The order stays charged; what it would have been certified for is given back. */
export async function dropOrder(db: Db, engine: Engine, hostname: string, dropped: DroppedOrder): Promise<void> {
  const { order, limits, isOver, now } = dropped
  await forgetAnswers(db, hostname)
  // One that was given up near its end may have been issued all the same.
  if (!isOver && MAY_BE_ISSUED.has(order.step)) return
  const failedOrder = { kind: 'order_failed' as const, names: order.names, replacing: order.replaces !== null }
  await chargeBudget(db, engine, { issuer: order.issuer, limits, now }, failedOrder)
}

export async function forgetAnswers(db: Db, hostname: string): Promise<void> {
  await db.deleteFrom('challenge_answers').where('hostname', '=', hostname).execute()
}
