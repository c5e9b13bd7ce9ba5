import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from './command.ts'
import { parseDurationMs, parseInstant } from './duration.ts'

test('spans are a number and a unit', () => {
  assert.equal(parseDurationMs('overlap', '90s'), 90_000)
  assert.equal(parseDurationMs('overlap', '24h'), 86_400_000)
  assert.equal(parseDurationMs('overlap', '2w'), 14 * 86_400_000)
  for (const text of ['', '5', 'h', '-1h', '1.5h', '1y', '24 h']) {
    assert.throws(() => parseDurationMs('overlap', text), UsageError)
  }
})

test('an instant is a span from now, a day in UTC, or a full time with its zone', () => {
  assert.equal(parseInstant('expires', '30d', 1000), 1000 + 30 * 86_400_000)
  assert.equal(parseInstant('expires', '2030-01-31', 0), Date.UTC(2030, 0, 31))
  assert.equal(parseInstant('expires', '2030-01-31T12:00:00+02:00', 0), Date.UTC(2030, 0, 31, 10))
  assert.equal(parseInstant('expires', '2032-02-29', 0), Date.UTC(2032, 1, 29))
  const never = ['2030-02-31', '2030-02-29', '2030-04-31', '2030-02-31T12:00:00Z', '2030-01-00']
  for (const text of ['soon', '2030', '2030-13-01', '2030-01-31T12:00', ...never]) {
    assert.throws(() => parseInstant('expires', text, 0), UsageError)
  }
  for (const text of ['999999999w', '9999-12-31T23:59:59-12:00']) {
    assert.throws(() => parseInstant('expires', text, 0), UsageError)
  }
})
