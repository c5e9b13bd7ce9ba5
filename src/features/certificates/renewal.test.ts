import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/clock.ts'
import { nextAttemptAt, planRenewal, renewalAt } from './renewal.ts'

const issuedAt = Date.UTC(2026, 9, 1)
const certificate = (lifeMs: number) => ({ notBefore: issuedAt, notAfter: issuedAt + lifeMs })
const never = () => 0

const validities = fc
  .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: HOUR_MS, max: 400 * DAY_MS }))
  .map(([notBefore, lifeMs]) => ({ notBefore, notAfter: notBefore + lifeMs }))
const anyTime = fc.oneof(fc.integer({ min: -1e13, max: 1e13 }), fc.constantFrom(NaN, Infinity, -Infinity))
const windows = fc.option(fc.record({ startAt: anyTime, endAt: anyTime }), { nil: undefined })
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('without advice a third of life is left at renewal, or half of a life under ten days', () => {
  const ninety = certificate(90 * DAY_MS)
  assert.deepEqual(planRenewal(ninety, undefined, never), { renewAt: issuedAt + 60 * DAY_MS, reason: 'share_of_life' })
  const short = certificate(160 * HOUR_MS)
  assert.deepEqual(planRenewal(short, undefined, never), { renewAt: issuedAt + 80 * HOUR_MS, reason: 'share_of_life' })
})

test('advice of the CA is kept at a random moment of its window', () => {
  const window = { startAt: issuedAt + 10 * DAY_MS, endAt: issuedAt + 12 * DAY_MS }
  assert.deepEqual(
    planRenewal(certificate(90 * DAY_MS), window, () => 0.5),
    {
      renewAt: issuedAt + 11 * DAY_MS,
      reason: 'advised',
    },
  )
})

test('a window that is past but within the life of the certificate means now', () => {
  const window = { startAt: issuedAt + HOUR_MS, endAt: issuedAt + 2 * HOUR_MS }
  assert.ok(planRenewal(certificate(90 * DAY_MS), window, () => 0.9).renewAt < issuedAt + 2 * HOUR_MS)
})

test('malformed, reversed, senselessly early and far windows fall back to a third of life', () => {
  const end = issuedAt + 90 * DAY_MS
  const senseless = [
    { startAt: NaN, endAt: end },
    { startAt: issuedAt + 20 * DAY_MS, endAt: issuedAt + 10 * DAY_MS },
    { startAt: issuedAt + DAY_MS, endAt: issuedAt + DAY_MS },
    { startAt: issuedAt - 3 * DAY_MS, endAt: issuedAt - 2 * DAY_MS },
    { startAt: end - DAY_MS, endAt: end },
    { startAt: end + DAY_MS, endAt: end + 300 * DAY_MS },
  ]
  for (const window of senseless) {
    assert.deepEqual(planRenewal(certificate(90 * DAY_MS), window, never), {
      renewAt: issuedAt + 60 * DAY_MS,
      reason: 'share_of_life',
    })
  }
})

test('a window that reaches into the last twentieth of life is cut there', () => {
  const window = { startAt: issuedAt + 60 * DAY_MS, endAt: issuedAt + 200 * DAY_MS }
  assert.deepEqual(
    planRenewal(certificate(90 * DAY_MS), window, () => 0.99),
    {
      renewAt: issuedAt + 85.5 * DAY_MS,
      reason: 'last_chance',
    },
  )
})

test('whatever the CA says, a twentieth of life is always left to renew in', () => {
  fc.assert(
    fc.property(validities, windows, randoms, (validity, window, fraction) => {
      const plan = planRenewal(validity, window, () => fraction)
      const lifeMs = validity.notAfter - validity.notBefore
      assert.ok(Number.isInteger(plan.renewAt))
      assert.ok(plan.renewAt <= validity.notAfter - lifeMs / 20)
    }),
  )
})

test('without a sensible window no renewal comes before half of life is over, so that none can loop', () => {
  fc.assert(
    fc.property(validities, windows, randoms, (validity, window, fraction) => {
      const plan = planRenewal(validity, window, () => fraction)
      if (plan.reason === 'advised') return assert.ok(window && window.startAt <= plan.renewAt + 1)
      assert.ok(plan.renewAt >= Math.floor((validity.notBefore + validity.notAfter) / 2))
    }),
  )
})

test('certificates issued at one moment are renewed over a twentieth of their life', () => {
  const [first, last] = [0, 0.999_999].map((fraction) =>
    planRenewal(certificate(90 * DAY_MS), undefined, () => fraction),
  )
  assert.ok(last!.renewAt - first!.renewAt > 4.4 * DAY_MS)
})

test('attempts follow after 1, 10 and 100 minutes, then at least every 4 hours', () => {
  const delays = [1, 2, 3].map((failures) => nextAttemptAt({ now: 0, failures, retryAfterMs: null }, never))
  assert.deepEqual(delays, [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS])
  for (const failures of [4, 5, 400]) {
    for (const random of [0, 0.999_999]) {
      const delayMs = nextAttemptAt({ now: 0, failures, retryAfterMs: null }, () => random)
      assert.ok(delayMs > 3.5 * HOUR_MS && delayMs <= 4 * HOUR_MS, String(delayMs))
    }
  }
})

test('the less is left of the certificate that is served, the sooner the next attempt comes', () => {
  const delay = (leftMs: number) => nextAttemptAt({ now: 0, failures: 9, retryAfterMs: null, endsAt: leftMs }, never)
  assert.deepEqual([delay(4 * HOUR_MS), delay(20 * MINUTE_MS), delay(1000)], [HOUR_MS, 5 * MINUTE_MS, MINUTE_MS])
  assert.equal(delay(30 * DAY_MS), delay(-1), 'one that has ended is tried for as any other')
})

test('however old a certificate is when it comes, or whatever is advised, the next is not ordered at once', () => {
  const past = { startAt: -900, endAt: -800 }
  const of = (lifeMs: number, issuedAt: number, window?: typeof past) =>
    renewalAt({ notBefore: -1000, notAfter: lifeMs - 1000 }, window, issuedAt, never)
  assert.equal(of(90 * DAY_MS, 0, past), DAY_MS)
  assert.equal(of(20 * HOUR_MS, 0, past), HOUR_MS)
  const late = 15 * HOUR_MS
  assert.equal(of(20 * HOUR_MS, late), late + HOUR_MS, 'three quarters of its life are over')
  assert.equal(of(20 * HOUR_MS, 20 * HOUR_MS - 1000), 20 * HOUR_MS - 1000 + MINUTE_MS, 'all of it')
  assert.equal(of(20 * HOUR_MS, 0), 10 * HOUR_MS - 1000, 'nothing changes for one that is fresh')
})

const WALKED = { '6 days': 6 * DAY_MS, '24 hours': DAY_MS, '10 minutes': 10 * MINUTE_MS }

for (const [name, lifeMs] of Object.entries(WALKED)) {
  test(`for 30 days certificates of ${name} overlap, though two of three attempts fail`, () => {
    let certificate = { notBefore: 0, notAfter: lifeMs }
    let renewals = 0
    for (let now = 0; now < 30 * DAY_MS; renewals++) {
      now = renewalAt(certificate, undefined, now, () => 0.999)
      for (const failures of [1, 2]) {
        now = nextAttemptAt({ now, failures, retryAfterMs: null, endsAt: certificate.notAfter }, () => 0.999)
      }
      assert.ok(now < certificate.notAfter, `renewal ${renewals} came ${now - certificate.notAfter} ms too late`)
      certificate = { notBefore: now, notAfter: now + lifeMs }
    }
    assert.ok(renewals >= (30 * DAY_MS) / lifeMs, `${renewals} renewals`)
  })
}

test('no attempt comes before what the CA asked for, nor more than nine days ahead', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 1000 }),
      fc.option(fc.nat(1e13)),
      randoms,
      (now, failures, retryAfterMs, fraction) => {
        const delayMs = nextAttemptAt({ now, failures, retryAfterMs }, () => fraction) - now
        assert.ok(delayMs >= MINUTE_MS)
        assert.ok(delayMs >= Math.min(retryAfterMs ?? 0, 8 * DAY_MS))
        assert.ok(delayMs <= 9 * DAY_MS)
      },
    ),
  )
})
