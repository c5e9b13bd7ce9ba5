import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOUNDS_MS, bucketOf, BUCKETS, latencyOf } from './latency.ts'

const histogram = (durations: readonly number[]) => {
  const counts = BUCKETS.map(() => 0)
  for (const duration of durations) counts[bucketOf(duration)]!++
  return counts
}

test('a percentile lies in the bucket of the request that it speaks of', () => {
  const durations = [...Array.from({ length: 90 }, () => 3), ...Array.from({ length: 9 }, () => 80), 700]
  const { p50, p95, p99 } = latencyOf(histogram(durations))
  assert.ok(p50! > 2.5 && p50! <= 5, String(p50))
  assert.ok(p95! > 50 && p95! <= 100, String(p95))
  assert.ok(p99! > 50 && p99! <= 100, String(p99))
  assert.deepEqual(latencyOf(histogram([])), { p50: null, p95: null, p99: null })
})

test('what took longer than every bound is told as at least the last one', () => {
  assert.deepEqual(latencyOf(histogram([60_000])), { p50: 2500, p95: 2500, p99: 2500 })
  assert.equal(bucketOf(BOUNDS_MS[0]), 0)
  assert.equal(bucketOf(60_000), BOUNDS_MS.length)
})
