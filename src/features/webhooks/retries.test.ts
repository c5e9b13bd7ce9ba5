import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../platform/clock.ts'
import { askedPauseMs, nextAttemptAt } from './retries.ts'

test('pauses grow, and end within three days of the first attempt', () => {
  for (const random of [0, 1]) {
    let now = 0
    const pauses: number[] = []
    for (let attempts = 1; ; attempts++) {
      const next = nextAttemptAt({ attempts, firstAttemptAt: 0 }, now, random)
      if (next === undefined) break
      pauses.push(next - now)
      now = next
    }
    assert.deepEqual(
      pauses.toSorted((a, b) => a - b),
      pauses,
    )
    assert.ok((pauses[0] as number) <= 6 * SECOND_MS)
    assert.ok(now > 2.5 * DAY_MS && now <= 3 * DAY_MS, String(now))
    assert.ok(pauses.length > 10 && pauses.length < 30)
  }
})

test('a busy receiver is left alone for as long as it asks in either form, and for an hour at most', () => {
  const now = Date.UTC(2026, 10, 16)
  const asked = (retryAfter: string | undefined, status = 429) => askedPauseMs({ status, retryAfter }, now)
  assert.equal(asked('90'), 90 * SECOND_MS)
  assert.equal(asked(new Date(now + 90 * SECOND_MS).toUTCString(), 503), 90 * SECOND_MS)
  for (const much of ['86400', '999999999', new Date(now + DAY_MS).toUTCString()]) assert.equal(asked(much), HOUR_MS)
  for (const nothing of [undefined, '', '-5', 'soon', '9'.repeat(400), new Date(now - DAY_MS).toUTCString()]) {
    assert.equal(asked(nothing), 0, String(nothing))
  }
  assert.equal(asked('90', 500), 0)
})
