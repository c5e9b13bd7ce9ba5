import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inLetters } from './quick-hash.ts'

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })

const inBits = (number: number) => (number >>> 0).toString(2).padStart(32, '0')

test('thirteen letters and digits stand for these 64 bits and no others', () => {
  fc.assert(
    fc.property(int32, int32, (one, other) => {
      const written = inLetters(one, other)
      assert.match(written, /^[0-9a-v]{13}$/)
      const bits = Array.from(written, (digit) => parseInt(digit, 32).toString(2).padStart(5, '0')).join('')
      assert.equal(bits.slice(0, 32), inBits(one))
      assert.equal(bits.slice(32, 64), inBits(other))
    }),
  )
})
