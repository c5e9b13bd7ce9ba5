import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { askBudget, type BudgetAnswer, charge } from './budget.ts'
import { type CaLimits, LETS_ENCRYPT_LIMITS } from './limits.ts'
import { nextTurnAt } from './next-turn.ts'

const NOW = Date.UTC(2027, 0, 1)
const LIMIT = LETS_ENCRYPT_LIMITS.orders!
const refusal = (at: number): Extract<BudgetAnswer, { allowed: false }> => ({
  allowed: false,
  at,
  decidedBy: { limit: 'orders', meter: 'orders:' },
  left: [],
})

const turnAt = (
  turn: { since?: number; endsAt?: number | undefined; riskAt?: number; share: number },
  at = NOW + 36_000,
) => nextTurnAt(refusal(at), LETS_ENCRYPT_LIMITS, { since: NOW, endsAt: undefined, riskAt: undefined, ...turn }, NOW)

test('nobody asks before there is room, nor later than a window after that', () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(
      share,
      fc.nat(100 * DAY_MS),
      fc.option(fc.nat(90 * DAY_MS), { nil: undefined }),
      (where, waitedMs, left) => {
        const endsAt = left === undefined ? undefined : NOW + left
        const at = turnAt({ since: NOW - waitedMs, endsAt, share: where })
        assert.ok(at >= NOW + 36_000 && at <= NOW + 36_000 + LIMIT.windowMs)
        if (endsAt !== undefined && endsAt > NOW + 36_000) assert.ok(at < endsAt, 'the certificate has ended by then')
      },
    ),
  )
})

test('the stretch over which they come grows with the time that they have waited', () => {
  const lastAfter = (waitedMs: number) => turnAt({ since: NOW - waitedMs, share: 1 }) - (NOW + 36_000)
  assert.equal(lastAfter(0), 5 * MINUTE_MS)
  assert.equal(lastAfter(HOUR_MS), HOUR_MS)
  assert.equal(lastAfter(30 * DAY_MS), LIMIT.windowMs)
})

test('a certificate that is about to end goes before those that have time', () => {
  const lastFor = (leftMs: number) => turnAt({ since: NOW - DAY_MS, endsAt: NOW + leftMs, share: 1 })
  assert.ok(lastFor(HOUR_MS) < lastFor(DAY_MS))
  assert.ok(lastFor(DAY_MS) < lastFor(30 * DAY_MS))
  assert.equal(lastFor(-HOUR_MS), NOW + 36_000, 'one that has ended asks as soon as there is room')
})

test('nobody is held back beyond the moment from which on the certificate is at risk', () => {
  const endsAt = NOW + 30 * DAY_MS
  assert.equal(turnAt({ endsAt, riskAt: NOW + HOUR_MS, share: 0.9 }, NOW + 7 * DAY_MS), NOW + HOUR_MS)
  assert.ok(turnAt({ endsAt, riskAt: NOW - HOUR_MS, share: 0 }, NOW + HOUR_MS) >= NOW + HOUR_MS)
})

test('of a backlog 25 times the budget, all are served by the full budget and few ask in vain', () => {
  const orders = { burst: 20, windowMs: HOUR_MS }
  const limits: CaLimits = { orders }
  const random = numbers(7)
  const waiting = Array.from({ length: 25 * orders.burst }, (_, index) => ({ at: NOW, name: `h${index}.example` }))
  const meters = new Map<string, number>()
  let questions = 0
  let end = NOW
  while (waiting.length > 0) {
    waiting.sort((a, b) => b.at - a.at)
    const { name, at } = waiting.pop()!
    const request = { names: [name], replacing: false, urgency: 'live' as const }
    const answer = askBudget(limits, meters, request, at)
    questions++
    end = at
    if (answer.allowed)
      charge(limits, meters, { kind: 'ordered', ...request }, at).forEach((to, key) => meters.set(key, to))
    else
      waiting.push({
        name,
        at: nextTurnAt(answer, limits, { since: NOW, endsAt: undefined, riskAt: undefined, share: random() }, at),
      })
  }
  const idealMs = 24 * orders.windowMs
  assert.ok(end - NOW < idealMs + 2 * orders.windowMs, `${(end - NOW) / HOUR_MS} h instead of ${idealMs / HOUR_MS} h`)
  assert.ok(questions < 40 * 25 * orders.burst, `${questions} questions`)
})

/** A small generator with a seed, so that a failure comes again. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
