import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { PetstoreError } from '../errors.ts'
import { exactNumber, INT64_MAX, INT64_MIN } from '../int64.ts'
import { makeCursor, readCursor } from './cursor.ts'

const refused = (error: unknown) => error instanceof PetstoreError && error.code === 'invalid_request'

test('a cursor gives back the position that it was made with', () => {
  const keys = fc.option(fc.string({ unit: anyCharacter }), { nil: undefined })
  fc.assert(
    fc.property(fc.bigInt(INT64_MIN, INT64_MAX), keys, fc.string(), (id, key, list) => {
      const position = { id: exactNumber(id), key }
      assert.deepEqual(readCursor('secret', list, makeCursor('secret', list, position)), position)
    }),
  )
})

test('a cursor of another list or another secret is refused', () => {
  const cursor = makeCursor('secret', 'pets 1 production {}', { id: 7 })
  assert.throws(() => readCursor('secret', 'pets 2 production {}', cursor), refused)
  assert.throws(() => readCursor('other', 'pets 1 production {}', cursor), refused)
})

test('no text but the one given out is a cursor', () => {
  const cursor = makeCursor('secret', 'list', { id: 7 })
  for (const other of [`${cursor}=`, ` ${cursor}`, `${cursor}!`, cursor.toUpperCase(), cursor.slice(0, -1), '']) {
    assert.throws(() => readCursor('secret', 'list', other), refused, other)
  }
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.throws(() => readCursor('secret', 'list', text), refused)
    }),
  )
})
