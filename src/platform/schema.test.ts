import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/harness/any-character.ts'
import { beginningOf, PRINTABLE, refusals, text } from './schema.ts'

const schema = text({ minLength: 1, maxLength: 255, pattern: PRINTABLE })
const isTaken = (value: string) => refusals(schema, value).length === 0

test('printable text is not only white space and has no control characters, as its pattern says by itself', () => {
  const plain = new RegExp(PRINTABLE)
  const unicode = new RegExp(PRINTABLE, 'u')
  const odd = fc.constantFrom(...'\0\t\n\u0085\u00a0\u2028\ufeff\x7f\x9f a🐕')
  const texts = fc.oneof(fc.string({ unit: odd }), fc.string({ unit: anyCharacter, maxLength: 300 }))
  fc.assert(
    fc.property(texts, (value) => {
      const isPrintable = /\S/.test(value) && !/\p{Cc}/u.test(value)
      assert.equal(plain.test(value), isPrintable)
      assert.equal(unicode.test(value), isPrintable)
      const length = [...value].length
      assert.equal(isTaken(value), isPrintable && length >= 1 && length <= 255 && value.isWellFormed())
    }),
    { numRuns: 2000 },
  )
  for (const blank of ['', ' ', '\u00a0\u2003', '\ud800', 'a\udc00']) assert.equal(isTaken(blank), false)
})

test('a beginning is cut between characters, and is as long as it may be', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '🐕', '\ud800') })
  fc.assert(
    fc.property(texts, fc.nat(12), (value, maxLength) => {
      assert.equal(beginningOf(value, maxLength), [...value].slice(0, maxLength).join(''))
    }),
  )
})

test('no text makes the pattern slow', () => {
  // Backtracking over each of them would take an hour.
  for (const text of [`${'a'.repeat(1e6)}\n`, `${' '.repeat(1e6)}\n`, `${' a'.repeat(1e6)}\x00`]) {
    assert.equal(new RegExp(PRINTABLE, 'u').test(text), false)
  }
})
