import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exactNumber, INT64_MAX, INT64_MIN, integerFromJsonSource, isInt64, parseInt64 } from './int64.ts'

const int64s = fc.bigInt(INT64_MIN, INT64_MAX)

test('a number where a number holds it, a bigint beyond, and the same digits either way', () => {
  assert.equal(exactNumber(9007199254740991n), 9007199254740991)
  assert.equal(exactNumber(9007199254740992n), 9007199254740992n)
  assert.equal(exactNumber(-9007199254740992n), -9007199254740992n)
  fc.assert(fc.property(int64s, (value) => `${exactNumber(value)}` === String(value)))
})

test('the decimal form of paths and cursors is read back, and no other form is', () => {
  fc.assert(fc.property(int64s, (value) => parseInt64(String(value)) === exactNumber(value)))
  const refused = [
    '',
    '-',
    '-0',
    '00',
    '01',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '1 ',
    '0x1',
    '1n',
    '١',
    '9223372036854775808',
    '-9223372036854775809',
  ]
  for (const text of [...refused, '9'.repeat(100_000)]) assert.equal(parseInt64(text), undefined, text.slice(0, 30))
})

test('only safe numbers and bigints of 64 bits are int64', () => {
  for (const value of [0, -0, 1, -1, 2 ** 53 - 1, INT64_MAX, INT64_MIN])
    assert.equal(isInt64(value), true, String(value))
  for (const value of [
    2 ** 53,
    1.5,
    NaN,
    Infinity,
    INT64_MAX + 1n,
    INT64_MIN - 1n,
    '1',
    null,
    undefined,
    [1],
    {},
    true,
  ]) {
    assert.equal(isInt64(value), false, String(value))
  }
})

test('a JSON number’s source says which integer it is, if it is one', () => {
  const integers: Record<string, bigint> = {
    '0': 0n,
    '-0': 0n,
    '-0.0e5': 0n,
    '12': 12n,
    '1.0': 1n,
    '1e3': 1000n,
    '1E+3': 1000n,
    '1.50e1': 15n,
    '100e-2': 1n,
    '0.001e3': 1n,
    '9007199254740993': 9007199254740993n,
    '9.223372036854775807e18': INT64_MAX,
    '-9223372036854775808': INT64_MIN,
    '0e999999999': 0n,
    '10000000000000000000000e-22': 1n,
  }
  for (const [source, integer] of Object.entries(integers)) assert.equal(integerFromJsonSource(source), integer, source)
  for (const source of ['1.5', '1e-1', '0.1', '1.00000000000000000001', '1e-400', 'NaN', '', '"1"', '1e', '.5', '1.']) {
    assert.equal(integerFromJsonSource(source), undefined, source)
  }
})

test('an exponent that asks for a gigabyte of zeros gets nothing', () => {
  for (const source of ['1e999999999', '-1e99999999999999999999', '1e-999999999']) {
    assert.equal(integerFromJsonSource(source), undefined)
  }
})
