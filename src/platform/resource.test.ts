import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { anyCharacter } from '../../test/harness/any-character.ts'
import { resource } from './resource.ts'
import { instant, int64, object, oneOf, optional, refusals, text } from './schema.ts'
import { openSqlite } from './storage/sqlite/connection.ts'

const Visit = object({
  id: int64(),
  petName: text(),
  kind: oneOf(['checkup', 'vaccination']),
  vetId: optional(int64()),
  arrivedAt: instant(),
  leftAt: optional(instant()),
  note: optional(text()),
})
const visits = resource(Visit)

const moment = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
const visit = fc.record(
  {
    id: fc.maxSafeInteger(),
    petName: fc.string({ unit: anyCharacter }),
    kind: fc.constantFrom('checkup' as const, 'vaccination' as const),
    vetId: fc.maxSafeInteger(),
    arrivedAt: moment.map((date) => date.toISOString()),
    leftAt: moment.map((date) => date.toISOString()),
    note: fc.constantFrom('', 'null', 'says "woof"'),
  },
  { requiredKeys: ['id', 'petName', 'kind', 'arrivedAt'] },
)

/** What names may hold: everything but control characters, to which the engines give escapes of their own. */
const printable = fc
  .string({ unit: anyCharacter, minLength: 1 })
  .map((text) => `"\\/é\u2028🐕${text}`.replaceAll(/[\p{Cc}\p{Cs}]/gu, ''))

test('what goes into a row comes out as the JSON that it was, in the order of the schema', () => {
  const inOrder = (value: Record<string, unknown>) =>
    Object.fromEntries(Object.keys(Visit.properties).flatMap((name) => (name in value ? [[name, value[name]]] : [])))
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 4 }), (list) => {
      const rows = list.map((value) => visits.toRow(value))
      assert.equal(visits.toJsonList(rows), JSON.stringify(list.map(inOrder)))
      for (const [index, row] of rows.entries()) {
        assert.equal(visits.toJson(row), JSON.stringify(inOrder(list[index] as object as Record<string, unknown>)))
      }
    }),
  )
})

test('a row has every column, with milliseconds for moments and null for what is absent', () => {
  assert.deepEqual(visits.columns, ['id', 'pet_name', 'kind', 'vet_id', 'arrived_at', 'left_at', 'note'])
  const row = visits.toRow({ id: 1, petName: 'Rex', kind: 'checkup', arrivedAt: '1970-01-01T00:00:01.000Z' })
  const absent = { vet_id: null, left_at: null, note: null }
  assert.deepEqual(row, { id: 1, pet_name: 'Rex', kind: 'checkup', arrived_at: 1000, ...absent })
  assert.deepEqual(visits.toChanges({ petName: 'Max' }), { pet_name: 'Max' })
})

test('integers keep every digit', () => {
  const row = { ...visits.toRow({ id: 0, petName: 'x', kind: 'checkup', arrivedAt: '1970-01-01T00:00:00Z' }) }
  const json = visits.toJson({ ...row, id: 2n ** 63n - 1n, vet_id: -(2n ** 63n) })
  assert.match(json, /^\{"id":9223372036854775807,.*"vetId":-9223372036854775808,/)
})

test('the database writes the same JSON', () => {
  const connection = openSqlite(':memory:', { readOnly: false })
  connection.raw.exec(`create table visits
    (id bigint, pet_name text, kind text, vet_id bigint, arrived_at bigint, left_at bigint, note text)`)
  const insert = connection.raw.prepare('insert into visits values (?, ?, ?, ?, ?, ?, ?)')
  const written = sql<{ json: string }>`select ${visits.jsonText(connection.db)} as json from visits`
  const select = connection.raw.prepare(written.compile(connection.db).sql)
  const int64s = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)
  fc.assert(
    fc.property(visit, printable, int64s, (value, petName, vetId) => {
      const row = { ...visits.toRow({ ...value, petName }), ...(value.vetId === undefined ? {} : { vet_id: vetId }) }
      connection.raw.exec('delete from visits')
      insert.run(...visits.columns.map((column) => row[column]))
      assert.equal(select.get()?.json, visits.toJson(row))
    }),
  )
  connection.close()
})

test('a moment must be one', () => {
  assert.deepEqual(refusals(instant(), '2026-11-15T09:30:00.000Z'), [])
  assert.deepEqual(refusals(instant(), '2028-02-29T09:30+01:00'), [])
  for (const none of ['soon', '1', '2026-11-15', '2026-02-29T12:00:00Z', '2026-13-01T12:00:00Z', '2026-11-15T25:00Z'])
    assert.deepEqual(refusals(instant(), none), ['it must be a time such as 2027-01-31T12:00:00Z'])
})
