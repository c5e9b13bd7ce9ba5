import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, numberAsBase62 } from './id.ts'

test('an id is its prefix and 16 letters and digits, and no two are the same', () => {
  const ids = Array.from({ length: 200 }, () => newId('key'))
  assert.equal(new Set(ids).size, 200)
  for (const id of ids) assert.match(id, /^key_[0-9A-Za-z]{16}$/)
})

test('a number is written with leading zeros', () => {
  assert.equal(numberAsBase62(0, 3), '000')
  assert.equal(numberAsBase62(61, 2), '0z')
  assert.equal(numberAsBase62(62 ** 2 + 1, 3), '101')
})
