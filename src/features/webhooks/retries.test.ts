import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, SECOND_MS } from '../../platform/clock.ts'
import { nextAttemptAt } from './retries.ts'

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
