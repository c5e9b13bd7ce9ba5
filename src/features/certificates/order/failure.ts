import { MINUTE_MS } from '../../../platform/clock.ts'
import { type Authority, restAfter, type Standing, stuckAt } from '../choice/authority.ts'
import { budgetFor, findStandings } from '../budget/meters.ts'
import type { IssuanceOrder, IssuanceProblem } from '../issuer.ts'
import { keptRetryAfterMs, nextAttemptAt } from '../renewal.ts'
import { type Attempt, requestOf, wakeBy } from './attempt.ts'
import type { OrderNeeds } from './order-needs.ts'
import { recordFailure } from './outcome-writes.ts'

interface AtAuthority {
  attempt: Attempt
  /** Whose order it was. */
  authority: Authority
  order: IssuanceOrder
}

/** What came of an attempt; no authority and no order where none was made. */
type Failure = { problem: IssuanceProblem } & (
  | (AtAuthority & { /** False while the same order can go on. */ isOver: boolean })
  | { attempt: Attempt; authority?: undefined; order?: undefined; isOver?: undefined }
)

/**
 * Where the fault is the authority's, another one that is free takes over at once: its turn is due now, and whoever
 * takes it finds in storage who rests. What a person has asked for beside the schedule leaves the schedule as it is,
 * unless the authority asks for more.
 */
export async function failed(needs: OrderNeeds, failure: Failure): Promise<void> {
  const { audited, clock, random, onOperatorProblem } = needs
  const { attempt, problem, authority, order, isOver } = failure
  const { lease, isPlatforms, predecessor, failures, nextByItself } = attempt
  const now = clock.now()
  const others = authority ? await othersFor(needs, { attempt, authority, order }, now) : []
  const isAlone = needs.authorities.length === 1 || !authority
  const rest = isAlone ? undefined : restAfter(problem, lease.subject, now)
  const takesOver = rest !== undefined && others.some(({ isFree }) => isFree)
  const retryAfterMs = shortestWait(problem, others, now)
  const opensAt = others.length === 0 ? Infinity : soonestEnd(problem, others, now)
  const next =
    nextByItself !== undefined
      ? Math.max(nextByItself, now + keptRetryAfterMs(retryAfterMs))
      : takesOver
        ? now
        : Math.min(
            nextAttemptAt({ now, failures: failures + 1, retryAfterMs, endsAt: predecessor?.not_after }, random),
            opensAt,
          )
  const outcome = await audited.write(recordFailure, {
    lease,
    isPlatforms,
    problem,
    at: authority && {
      issuer: authority.issuer.id,
      limits: authority.limits,
      droppedOrder: isOver || takesOver ? order : undefined,
      isOver,
      rest,
    },
    takesOver,
    nextAttemptAt: next,
    isExtra: nextByItself !== undefined || takesOver,
    nextDueAt: takesOver ? now : wakeBy(next, predecessor, now),
    now,
  })
  if (outcome.kind !== 'recorded') return
  const isOperators = problem.code === 'operator_needed' || takesOver
  if (isOperators || isPlatforms) onOperatorProblem(lease.subject, problem)
}

/** What to say of an order that has waited for its authority too long; undefined while it may wait. */
export async function problemOfWaiting(needs: OrderNeeds, input: AtAuthority): Promise<IssuanceProblem | undefined> {
  const { order, attempt } = input
  const now = needs.clock.now()
  if (now < stuckAt(order.beganAt, attempt.predecessor?.not_after)) return undefined
  const givesWay = (await othersFor(needs, input, now)).some(({ isFree }) => isFree)
  const next = givesWay
    ? 'so another one is asked.'
    : 'so the next attempt begins a new one. It starts by itself; choose Re-verify to start it now.'
  const message = `The certificate authority has not finished the order in time, ${next}`
  return { code: 'order_stuck', message, detail: null, hostname: null, retryAfterMs: null }
}

interface Other extends Standing {
  /** It may be asked now, has not failed of late, and has room. */
  isFree: boolean
}

/** The authorities that the order could have gone to instead. */
async function othersFor({ storage, authorities }: OrderNeeds, input: AtAuthority, now: number): Promise<Other[]> {
  const { attempt, order } = input
  const hostname = attempt.lease.subject
  const others = authorities.filter(({ issuer }) => order.others?.includes(issuer.id))
  const standings = await findStandings(
    storage.read,
    others.map(({ issuer }) => issuer.id),
    hostname,
    now,
  )
  return Promise.all(
    others.map(async ({ issuer, limits }): Promise<Other> => {
      const standing = standings.get(issuer.id) as Standing
      const { request } = requestOf(hostname, attempt, { issuer: issuer.id, holder: undefined, now })
      const { allowed } = await budgetFor(storage.read, issuer.id, limits, request, now)
      return { ...standing, isFree: allowed && standing.retryAt === undefined && standing.restsUntil === 0 }
    }),
  )
}

/** How long all of them ask to be left alone; null when one of them does not. */
function shortestWait({ retryAfterMs }: IssuanceProblem, others: readonly Other[], now: number): number | null {
  if (retryAfterMs === null || others.some(({ retryAt }) => retryAt === undefined)) {
    return others.length === 0 ? retryAfterMs : null
  }
  return Math.min(retryAfterMs, ...others.map(({ retryAt = now }) => retryAt - now))
}

/** When the first of those may be asked again who asked to be left alone: a moment that is worth an attempt. */
function soonestEnd({ retryAfterMs }: IssuanceProblem, others: readonly Other[], now: number): number {
  const ends = [...others.map(({ retryAt }) => retryAt), retryAfterMs === null ? undefined : now + retryAfterMs]
  return Math.min(...ends.filter((at) => at !== undefined).map((at) => Math.max(at, now + MINUTE_MS)))
}
