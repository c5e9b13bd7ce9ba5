import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/harness/any-character.ts'
import { PetstoreError } from '../../errors.ts'
import { exactNumber, INT64_MAX, INT64_MIN } from '../../int64.ts'
import { createCursors } from './cursor.ts'

const refused = (error: unknown) => error instanceof PetstoreError && error.code === 'invalid_request'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a cursor on ${engine}`, () => {
    const cursors = createCursors('secret', engine)
    const elsewhere = createCursors('secret', engine === 'sqlite' ? 'postgres' : 'sqlite')

    test('gives back the position that it was made with, also to who makes others', () => {
      const keys = fc.option(fc.string({ unit: anyCharacter }), { nil: undefined })
      fc.assert(
        fc.property(fc.bigInt(INT64_MIN, INT64_MAX), keys, fc.string(), (id, key, list) => {
          const position = { id: exactNumber(id), key }
          const cursor = cursors.make(list, position)
          assert.match(cursor, /^[\w-]+$/)
          assert.deepEqual(cursors.read(list, cursor), position)
          assert.deepEqual(elsewhere.read(list, cursor), position)
        }),
      )
    })

    test('has a seal that is short, however long the position', () => {
      const cursor = cursors.make('list', { id: 7, key: 'x'.repeat(1000) })
      assert.ok(cursors.sealOf(cursor).length < 40)
      assert.notEqual(cursors.sealOf(cursor), cursors.sealOf(cursors.make('list', { id: 8, key: 'x'.repeat(1000) })))
    })

    test('of another list or another secret is refused', () => {
      const cursor = cursors.make('pets 1 production {}', { id: 7 })
      assert.throws(() => cursors.read('pets 2 production {}', cursor), refused)
      assert.throws(() => createCursors('other', engine).read('pets 1 production {}', cursor), refused)
    })

    test('has no other spelling', () => {
      const cursor = cursors.make('list', { id: 7 })
      for (const other of [`${cursor}=`, ` ${cursor}`, `${cursor}!`, `${cursor}_`, cursor.slice(0, -1), '']) {
        assert.throws(() => cursors.read('list', other), refused, other)
      }
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter }), (text) => {
          assert.throws(() => cursors.read('list', text), refused)
        }),
      )
    })
  })
}

/** As versions before this one gave them out, which may stand beside it on PostgreSQL, and before it on SQLite. */
test('the cursors of before are known', () => {
  const list = 'pets 1 production {}'
  const strong = '4aWSAKCElTKGfo0rNw'
  for (const engine of ['sqlite', 'postgres'] as const) {
    const cursors = createCursors('secret', engine)
    assert.deepEqual(cursors.read(list, strong), { id: 7, key: undefined })
    assert.deepEqual(cursors.read(list, '-769500016_717990670__7'), { id: 7, key: undefined })
    assert.deepEqual(cursors.read(list, '1832224467_1380239287__NyAyMDI2LTAxLTAx'), { id: 7, key: '2026-01-01' })
  }
  assert.equal(createCursors('secret', 'postgres').make(list, { id: 7 }), strong)
})
