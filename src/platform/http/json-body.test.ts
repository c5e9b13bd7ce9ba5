import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { PetstoreError } from '../errors.ts'
import { INT64_MAX, INT64_MIN } from '../int64.ts'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
const refused = (error: unknown) => error instanceof PetstoreError && error.code === 'invalid_request'

test('a body without integers beyond 2^53 is what JSON.parse makes of it', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger(),
      fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  }))
  fc.assert(
    fc.property(value, (value) => {
      const text = JSON.stringify(value)
      assert.deepEqual(parse(text), JSON.parse(text))
    }),
  )
})

test('integers keep every digit, wherever they stand', () => {
  fc.assert(
    fc.property(fc.bigInt(INT64_MIN, INT64_MAX), (value) => {
      const { a, b } = parse(`{"a":${value},"b":[{"c":${value}.0}]}`) as { a: unknown; b: [{ c: unknown }] }
      assert.equal(String(a), String(value))
      assert.equal(a, b[0].c)
    }),
  )
})

test('a number that only rounds to an integer is none', () => {
  for (const source of ['1.00000000000000000001', '9007199254740992.5', '1e-400', '0.9999999999999999999999']) {
    assert.equal(Number.isInteger(parse(source)), false, source)
  }
  assert.equal(parse('1.5'), 1.5)
  assert.equal(
    parse('9223372036854775808'),
    9223372036854775808n,
    'beyond 64 bits it is still exact, for the schema to refuse',
  )
})

test('digits inside a text are left alone', () => {
  assert.deepEqual(parse('{"name":"12345678901234567890 1.0e5","n":12345678901234567890}'), {
    name: '12345678901234567890 1.0e5',
    n: 12345678901234567890n,
  })
})

test('what is no JSON, no UTF-8 or nested without end is refused with a sentence', () => {
  for (const text of [
    '',
    '{',
    '{"a":1}}',
    '01',
    'undefined',
    '\ufeff{}',
    `${'['.repeat(50_000)}1.0${']'.repeat(50_000)}`,
  ]) {
    assert.throws(() => parse(text), refused, text.slice(0, 20))
  }
  assert.throws(() => parseJsonBody(Uint8Array.of(0x22, 0xff, 0x22)), refused)
})

test('a prototype in a body is a field like any other', () => {
  const body = parse('{"__proto__":{"admin":true},"n":1.0}') as Record<string, unknown>
  assert.equal(body.admin, undefined)
  assert.deepEqual(Object.keys(body), ['__proto__', 'n'])
  assert.equal(({} as Record<string, unknown>).admin, undefined)
})
