import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timesOf } from '../../dashboard/src/parts/chart/times.ts'

const HOUR_MS = 3_600_000
const STEPS = { hour: HOUR_MS, 'six hours': 6 * HOUR_MS, day: 24 * HOUR_MS }

/** What a viewer reads of the point that begins at this moment: below the chart, and at the point. */
function readIn(timeZone: string, step: keyof typeof STEPS, at: string): string[] {
  const { axis, point } = timesOf(STEPS[step])
  return [axis, point].map((format) => new Intl.DateTimeFormat('en', { timeZone, ...format }).format(new Date(at)))
}

test('a day of UTC has its own name in every time zone, and says whose day it is', () => {
  for (const zone of ['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati']) {
    assert.deepEqual(readIn(zone, 'day', '2026-11-17T00:00:00Z'), ['Nov 17', 'Nov 17, UTC'], zone)
  }
})

test('shorter steps have the viewer’s own times, and those of one day differ', () => {
  assert.deepEqual(readIn('America/Los_Angeles', 'hour', '2026-11-17T01:00:00Z'), ['17:00', '17:00'])
  assert.deepEqual(readIn('Asia/Kolkata', 'six hours', '2026-11-17T18:00:00Z'), ['Nov 17', 'Nov 17, 23:30'])
  assert.deepEqual(readIn('Asia/Kolkata', 'six hours', '2026-11-17T12:00:00Z'), ['Nov 17', 'Nov 17, 17:30'])
})
