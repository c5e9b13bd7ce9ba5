import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCsvHeader, readCsvRow } from '../../src/features/pets/import/csv.ts'
import { PET_COLUMNS } from '../../dashboard/src/features/pets/export-columns.ts'
import { exportText } from '../../dashboard/src/parts/export-text.ts'
import { endStay } from '../../dashboard/src/stay.ts'

const records = (text: string) =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((line, at) => ({ bytes: Buffer.from(line), line: at + 1, end: { bytes: 0, lines: 0 } }))

test('what is exported as CSV is imported as the same animals, whatever their names', () => {
  const pet = fc.record({
    id: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    name: fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !/\p{Cc}/u.test(name)),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom('available', 'pending', 'sold'),
  })
  fc.assert(
    fc.property(fc.array(pet, { minLength: 1, maxLength: 5 }), (pets) => {
      const [top, ...rows] = records(exportText('csv', PET_COLUMNS, pets))
      const header = readCsvHeader(top as (typeof rows)[number])
      const read = rows.map((row) => readCsvRow(row, header) as { name: string; categoryId: number | bigint })
      assert.deepEqual(
        read.map((row) => ({ ...row, categoryId: BigInt(row.categoryId) })),
        pets.map(({ id: _, ...fields }) => fields),
      )
    }),
  )
})

test('NDJSON keeps every digit', () => {
  const pet = { id: 9007199254740993n, name: 'Rex\n', categoryId: -(2n ** 63n), status: 'sold' as const }
  assert.equal(
    exportText('ndjson', PET_COLUMNS, [pet]),
    '{"id":9007199254740993,"name":"Rex\\n","categoryId":-9223372036854775808,"status":"sold"}\n',
  )
})

/** By a name that the compiler does not follow: a page has types that a program of Node does not. */
const EXPORT_ROWS: string = '../../dashboard/src/parts/export-rows.ts'
type ExportAll = (
  ...given: [string, string, string[], object, (query: { cursor?: string }) => unknown]
) => Promise<void>

test('an export ends with the stay of whoever began it: nothing more is asked for, and nothing is saved', async () => {
  const { exportAll } = (await import(EXPORT_ROWS)) as { exportAll: ExportAll }
  const asked: unknown[] = []
  await exportAll('animals', 'csv', ['id'], {}, ({ cursor }) => {
    asked.push(cursor)
    if (asked.length === 2) endStay()
    const next = asked.length < 3 ? { cursor: `after ${asked.length}` } : undefined
    return { items: [{ id: asked.length }], next }
  })
  assert.deepEqual(asked, [undefined, 'after 1'])
})
