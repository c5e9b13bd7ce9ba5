import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../clock.ts'
import { RateLimiter } from './rate-limit.ts'

test('over any stretch of time no key gets more than its burst and its rate, and whoever waits as told gets in', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), waits, (perSecond, waits) => {
      const clock = new ManualClock(0)
      const limiter = new RateLimiter({ perSecond }, clock)
      let allowed = 0
      for (const wait of waits) {
        clock.advance(wait)
        const decision = limiter.take('key', 1)
        if (decision.allowed) allowed++
        assert.ok(allowed <= 2 * perSecond + (clock.now() / 1000) * perSecond + 1e-6)
        const [, remaining, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(decision.header) ?? []
        assert.ok(Number(remaining) <= 2 * perSecond)
        assert.equal(Number(reset), decision.resetSeconds)
        assert.ok(Number.isInteger(decision.resetSeconds) && decision.resetSeconds >= 1)
        if (!decision.allowed) {
          clock.advance(decision.resetSeconds * 1000)
          assert.equal(limiter.take('key', 1).allowed, true)
          allowed++
        }
      }
    }),
  )
})

test('a clock that goes backwards gives nothing away and takes nothing away', () => {
  const clock = new ManualClock(10_000)
  const limiter = new RateLimiter({ perSecond: 1 }, clock)
  limiter.take('key', 1)
  clock.advance(-5000)
  assert.equal(limiter.take('key', 1).allowed, true)
  assert.equal(limiter.take('key', 1).allowed, false)
})

test('keys have buckets of their own, and the policy says what a bucket holds', () => {
  const limiter = new RateLimiter({ perSecond: 1 }, new ManualClock(0))
  assert.equal(limiter.policy, '"default";q=2;w=2')
  for (const allowed of [true, true, false]) assert.equal(limiter.take('one', 1).allowed, allowed)
  assert.equal(limiter.take('two', 1).allowed, true)
})

test('all keys of a project together have what four keys have, and other projects are left alone', () => {
  const clock = new ManualClock(0)
  const limiter = new RateLimiter({ perSecond: 1 }, clock)
  const decisions = Array.from({ length: 10 }, (_, index) => limiter.take(`key ${index % 5}`, 1))
  assert.equal(decisions.filter(({ allowed }) => allowed).length, 8)
  assert.deepEqual([decisions.at(-1)?.by, decisions.at(-1)?.resetSeconds], ['project', 1])
  assert.equal(limiter.take('another key', 2).allowed, true)
  clock.advance(1000)
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((index) => limiter.take(`fresh ${index}`, 1).allowed),
    [true, true, true, true, false],
  )
})
