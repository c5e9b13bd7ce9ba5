import assert from 'node:assert/strict'
import { parse } from 'node:querystring'
import { test } from 'node:test'
import fc from 'fast-check'
import { PetstoreError } from '../errors.ts'
import { readQuery } from './query-string.ts'

const declared = ['limit', 'status']

test('declared parameters are read, decoded; all others are not there', () => {
  assert.deepEqual(readQuery('/v1/pets', declared), {})
  assert.deepEqual(readQuery('/v1/pets?', declared), {})
  assert.deepEqual(readQuery('/v1/pets?limit=5&x=1&status=a%20b+c', declared), { limit: '5', status: 'a b c' })
  assert.deepEqual(readQuery('/v1/pets?__proto__=1&constructor=2&limit', declared), { limit: '' })
  assert.deepEqual(readQuery('/v1/pets?%6cimit=5', declared), { limit: '5' })
})

test('a declared parameter that is repeated is refused by name, wherever it stands', () => {
  for (const query of ['limit=1&limit=1', `limit=1&${'x&'.repeat(2000)}limit=2`, 'status=a&limit=1&status=a&limit=2']) {
    assert.throws(
      () => readQuery(`/v1/pets?${query}`, declared),
      (error) => error instanceof PetstoreError && error.code === 'invalid_request' && error.message.includes('limit'),
    )
  }
  assert.deepEqual(readQuery('/v1/pets?x=1&x=2', declared), {})
})

test('broken percent-encoding is read as it stands', () => {
  assert.deepEqual(readQuery('/v1/pets?status=%zz&limit=%', declared), { limit: '%', status: '%zz' })
})

test('a NUL in a declared parameter is refused by name', () => {
  assert.throws(() => readQuery('/v1/pets?status=a%00b', declared), { code: 'invalid_request', message: /status/ })
  assert.deepEqual(readQuery('/v1/pets?x=%00&limit=1', declared), { limit: '1' })
})

test('a query is taken apart as Node does it', () => {
  const piece = fc.oneof(
    fc.constantFrom('&', '=', '%', '+', 'limit', 'status', '%6c', '%zz', '%ff', '%00', ''),
    fc.string({ unit: 'binary' }),
  )
  const some = ['limit', 'status', '', 'a']
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const query = pieces.join('')
      const nodes = parse(query, '&', '=', { maxKeys: 0 })
      const expected = Object.fromEntries(some.filter((name) => name in nodes).map((name) => [name, nodes[name]]))
      fc.pre(!Object.values(expected).some((values) => values?.includes('\0')))
      assert.deepEqual({ ...readQuery(`/v1/pets?${query}`, some, some) }, expected)
    }),
    { numRuns: 2000 },
  )
})
