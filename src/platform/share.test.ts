import assert from 'node:assert/strict'
import test from 'node:test'
import { ManualClock, MINUTE_MS, SECOND_MS } from './clock.ts'
import { enterOrRefuse, Share } from './share.ts'

const LIMITS = { atOnce: 2, burst: 4, perMinute: 6 }

test('a project has its places, gives each back once, and takes none of another project’s', () => {
  const share = new Share(LIMITS, new ManualClock(0))
  const [first, second] = [share.enter(1), share.enter(1)]
  assert.ok(first.ok && second.ok)
  assert.deepEqual(share.enter(1), { ok: false, why: 'busy', retryAfterMs: SECOND_MS })
  assert.ok(share.enter(2).ok)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  assert.ok(share.enter(1).ok)
  assert.equal(share.enter(1).ok, false)
})

test('what is used comes back with time, and no more than there was', () => {
  const clock = new ManualClock(0)
  const share = new Share(LIMITS, clock)
  const use = () => {
    const entry = share.enter(1)
    if (entry.ok) entry[Symbol.dispose]()
    return entry
  }
  assert.deepEqual(
    [use(), use(), use(), use()].map(({ ok }) => ok),
    [true, true, true, true],
  )
  assert.equal(share.used(1), 4)
  assert.deepEqual(use(), { ok: false, why: 'used up', retryAfterMs: 10 * SECOND_MS })
  clock.advance(10 * SECOND_MS)
  assert.ok(use().ok)
  clock.advance(100 * MINUTE_MS)
  assert.equal(share.used(1), 0)
  assert.deepEqual(
    [use(), use(), use(), use(), use()].map(({ ok }) => ok),
    [true, true, true, true, false],
  )
})

test('who has used more than was left waits until it has come back', () => {
  const clock = new ManualClock(0)
  const share = new Share(LIMITS, clock)
  using entry = enterOrRefuse(share, 1, 'Look-ups', 0)
  assert.ok(entry)
  share.charge(1, 10)
  const refused = share.enter(1, 0)
  assert.ok(!refused.ok && refused.why === 'used up')
  assert.ok(refused.retryAfterMs > 59 * SECOND_MS)
  clock.advance(61 * SECOND_MS)
  assert.ok(share.enter(1, 0).ok)
})

test('a refusal says what the share is and when to come again', () => {
  const share = new Share({ atOnce: 9, burst: 1, perMinute: 6 }, new ManualClock(0))
  enterOrRefuse(share, 1, 'Live checks')[Symbol.dispose]()
  assert.throws(() => enterOrRefuse(share, 1, 'Live checks'), {
    code: 'rate_limited',
    message: /^Live checks: this project has used its share, 1 in one go and 6 a minute\. Try again in 10 s\.$/,
    headers: { 'Retry-After': '10' },
  })
})
