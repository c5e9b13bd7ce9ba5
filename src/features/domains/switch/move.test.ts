import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import type { NameserverRow } from '../diagnosis/diagnose.ts'
import { advanceMove, type Move, moveView, waitFor } from './move.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
/** For which browsers keep an address by themselves. */
const BROWSERS = 2 * MINUTE_MS

const row = (nameserver: string, is: 'old' | 'new' | 'none' | 'silent', ttl = 3600): NameserverRow => ({
  nameserver,
  address: '192.0.2.53',
  status: is === 'silent' ? 'timeout' : 'answered',
  serial: 1,
  answers:
    is === 'silent'
      ? ['timed out']
      : is === 'none'
        ? ['NXDOMAIN']
        : [is === 'old' ? `A 192.0.2.1 (TTL ${ttl})` : 'CNAME x.pets.example (TTL 60)'],
  isRight: is === 'new',
  isHere: is === 'new',
  cacheSeconds: is === 'new' ? 60 : ttl,
  evidence: [],
})

const after = (...looks: [minutes: number, rows: NameserverRow[]][]): Move | undefined =>
  looks.reduce<Move | undefined>(
    (move, [minutes, rows]) => advanceMove(move, rows, NOW + minutes * MINUTE_MS),
    undefined,
  )
const both = (is: Parameters<typeof row>[1], ttl?: number) => [row('ns1.test', is, ttl), row('ns2.test', is, ttl)]

test('a name that led nowhere has not moved', () => {
  assert.equal(after([0, both('none')], [1, both('new')]), undefined)
})

test('the old host is needed for the old TTL after its answer may last have been given, and two minutes more', () => {
  const move = after([0, both('old')], [10, both('new')])!
  const view = moveView(move, NOW + 10 * MINUTE_MS)
  assert.deepEqual([view.phase, view.from], ['moving', ['A 192.0.2.1']])
  const until = NOW + 10 * MINUTE_MS + HOUR_MS + BROWSERS
  assert.equal(view.oldHostUntil, new Date(until).toISOString())
  assert.match(view.sentence, /keep the old host running until 2026-11-15 13:12 UTC/)
  assert.equal(moveView(move, until - 1).phase, 'moving')
  const later = moveView(move, until)
  assert.equal(later.phase, 'moved')
  assert.match(later.sentence, /may be switched off/)
})

test('a TTL that was lowered shortly before does not shorten what caches have from earlier', () => {
  const move = after([0, both('old', 3600)], [5, both('old', 60)], [6, both('new')])!
  assert.equal(moveView(move, NOW).oldHostUntil, new Date(NOW + HOUR_MS + BROWSERS).toISOString())
  const patient = after([0, both('old', 3600)], [60, both('old', 60)], [61, both('new')])!
  assert.equal(moveView(patient, NOW).oldHostUntil, new Date(NOW + 62 * MINUTE_MS + BROWSERS).toISOString())
})

test('one nameserver that lags, or is silent, or falls back keeps the old host', () => {
  const lagging = after([0, both('old')], [1, [row('ns1.test', 'new'), row('ns2.test', 'old')]])!
  assert.deepEqual([moveView(lagging, NOW).phase, moveView(lagging, NOW).oldHostUntil], ['moving', null])
  const silent = after([0, both('old')], [1, [row('ns1.test', 'new'), row('ns2.test', 'silent')]])!
  assert.equal(moveView(silent, NOW).oldHostUntil, null)
  const back = after([0, both('old')], [1, both('new')], [2, [row('ns1.test', 'new'), row('ns2.test', 'old')]])!
  assert.equal(moveView(back, NOW).oldHostUntil, null)
})

test('where the nameservers are others now, the old ones are asked for two days more', () => {
  const move = after([0, both('old', 60)], [1, [row('ns.elsewhere.test', 'new')]])!
  const until = NOW + 2 * MINUTE_MS + 48 * HOUR_MS + BROWSERS
  assert.equal(moveView(move, NOW).oldHostUntil, new Date(until).toISOString())
})

test('without IPv6 of our own, a nameserver is known by its other address, and one that has none is silent', () => {
  const unreachable = (nameserver: string): NameserverRow => ({ ...row(nameserver, 'silent'), status: 'unreachable' })
  const move = after([0, both('old')], [10, [...both('new'), unreachable('ns2.test')]])!
  assert.notEqual(moveView(move, NOW).oldHostUntil, null)
  const unseen = after([0, both('old')], [10, [...both('new'), unreachable('ns3.test')]])!
  assert.equal(moveView(unseen, NOW).oldHostUntil, null)
})

test('a resolver that keeps the old answer for longer is waited for', () => {
  const until = NOW + 5 * HOUR_MS
  const move = waitFor(after([0, both('old')], [10, both('new')]), until)!
  assert.equal(moveView(move, NOW + 2 * HOUR_MS).phase, 'moving')
  assert.equal(moveView(move, NOW + 2 * HOUR_MS).oldHostUntil, new Date(until + BROWSERS).toISOString())
  assert.equal(waitFor(move, NOW), move)
})

test('what changes nothing is the same object, so that nothing is stored', () => {
  const move = after([0, both('old')], [1, both('new')])
  assert.equal(advanceMove(move, both('new'), NOW + HOUR_MS), move)
  assert.equal(advanceMove(move, both('silent'), NOW + HOUR_MS), move)
})
