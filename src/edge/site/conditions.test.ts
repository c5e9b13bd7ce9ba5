import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { alreadyHeld, isWanted, rangeOf } from './conditions.ts'

test('If-None-Match compares weakly, If-Match strongly, and both take lists', () => {
  const etag = '"abc-br"'
  for (const header of ['"abc-br"', 'W/"abc-br"', '"x", "abc-br"', '"a,b", W/"abc-br"', '*', ' * ']) {
    assert.equal(alreadyHeld(header, etag), true, header)
  }
  for (const header of ['', '"abc"', 'abc-br', '"abc-gzip"', '"*"']) {
    assert.equal(alreadyHeld(header, etag), false, header)
  }
  for (const header of ['"abc-br"', '"x","abc-br"', '*']) assert.equal(isWanted(header, etag), true, header)
  for (const header of ['', 'W/"abc-br"', '"abc"']) assert.equal(isWanted(header, etag), false, header)
})

test('one range is read as RFC 9110 says; anything else is the whole file', () => {
  const expected: [string, ReturnType<typeof rangeOf>][] = [
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=0-9', { start: 0, end: 10 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-500', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-500', { start: 0, end: 100 }],
    [' BYTES=1-2 ', { start: 1, end: 3 }],
    ['bytes = 1 - 2', undefined],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=a-b', undefined],
    ['items=0-1', undefined],
    ['', undefined],
  ]
  for (const [header, range] of expected) assert.deepEqual(rangeOf(header, 100), range, header)
  assert.equal(rangeOf('bytes=0-', 0), 'unsatisfiable')
})

test('a range always lies inside the file and is never empty', () => {
  const number = fc.oneof(fc.nat(300), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.constant(''))
  fc.assert(
    fc.property(number, number, fc.nat(200), (first, last, bytes) => {
      const range = rangeOf(`bytes=${first}-${last}`, bytes)
      if (range === undefined || range === 'unsatisfiable') return
      assert.ok(range.start >= 0 && range.start < range.end && range.end <= bytes)
    }),
  )
})
