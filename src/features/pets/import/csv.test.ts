import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCsvHeader, readCsvRow } from './csv.ts'
import { guarded } from './formula-guard.ts'
import type { TextRecord } from './records.ts'

const record = (text: string, line = 2): TextRecord => ({ bytes: Buffer.from(text), line, end: { bytes: 0, lines: 0 } })
const header = (text: string) => readCsvHeader(record(text, 1))
const row = (text: string, top = 'name,categoryId,status') => readCsvRow(record(text), header(top))

test('columns are found by their names, in any order and spelling, with any of the usual separators', () => {
  assert.deepEqual(row('7;Rex;x', '\u{FEFF}Category_ID;"Name";id'), { categoryId: 7, name: 'Rex' })
  assert.deepEqual(row('sold\tRex\t7', 'STATUS\tname\tcategory id'), { status: 'sold', name: 'Rex', categoryId: 7 })
})

test('any name between quotes is read exactly as it is', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), int64, (name, categoryId) => {
      const read = row(`${quote(guarded(name))},${categoryId},sold`) as { name: string; categoryId: number | bigint }
      assert.deepEqual({ ...read, categoryId: BigInt(read.categoryId) }, { name, categoryId, status: 'sold' })
    }),
  )
})

test('an empty status is left out, and what is no integer stays text for the validation to refuse', () => {
  assert.deepEqual(row('Rex, 7 ,'), { name: 'Rex', categoryId: 7 })
  assert.deepEqual(row('Rex,1.5,'), { name: 'Rex', categoryId: '1.5' })
  assert.deepEqual(row('Rex,,'), { name: 'Rex', categoryId: '' })
  for (const blank of ['\r', ',,', ' ," ",""', ',']) assert.equal(row(blank), undefined)
})

test('what cannot be read says how to mend it', () => {
  assert.throws(() => header('title,categoryId'), /the first line must name the columns/)
  assert.throws(() => header('name,categoryId,NAME'), /two columns are called name/)
  assert.throws(() => row('Rex,1'), /has 2 fields, but the first line names 3 columns/)
  assert.throws(() => row('5" Rex,1,sold'), /quotation mark stands in the wrong place/)
  assert.throws(() => row('"Rex"y,1,sold'), /quotation mark stands in the wrong place/)
  const latin1 = { ...record(''), bytes: Buffer.from('Réx,1,sold', 'latin1') }
  assert.throws(() => readCsvRow(latin1, header('name,categoryId,status')), /not valid UTF-8/)
})
