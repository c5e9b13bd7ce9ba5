import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact, readInt64, stringifyExact } from './int64.ts'

test('long integers keep every digit, and everything else is what JSON.parse makes of it', () => {
  const body = { id: 9007199254740993n, least: -(2n ** 63n), safe: 9007199254740991, none: undefined }
  assert.deepEqual(parseExact(stringifyExact(body)), { id: body.id, least: body.least, safe: body.safe })
  for (const text of [
    '{"ms":12.3456789012345678}',
    '[1.2345678901234567e+21,-0.1234567890123456]',
    '"1234567890123456789"',
  ]) {
    assert.deepEqual(parseExact(text), JSON.parse(text), text)
  }
})

test('what somebody types is an integer of 64 bits or none', () => {
  assert.equal(readInt64(' 7 '), 7)
  assert.equal(readInt64('9223372036854775807'), 9223372036854775807n)
  assert.equal(readInt64('-9223372036854775808'), -9223372036854775808n)
  for (const text of ['', '1.5', 'seven', '9223372036854775808', '1e3']) assert.equal(readInt64(text), undefined, text)
})
