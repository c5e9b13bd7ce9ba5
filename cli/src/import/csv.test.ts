import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from './csv.ts'

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells)

test('cells are separated by whatever the first line is separated by', () => {
  for (const delimiter of [',', ';', '\t']) {
    assert.deepEqual(cellsOf(['name', 'categoryId\nRex', '1'].join(delimiter)), [
      ['name', 'categoryId'],
      ['Rex', '1'],
    ])
  }
})

test('quoted cells hold separators, quotes and lines, and every record knows where it begins', () => {
  const records = readCsv('name,id\r\n"a, ""b""\nc",1\r\n\r\n"",2\nlast,\n')
  assert.deepEqual(records, [
    { line: 1, cells: ['name', 'id'] },
    { line: 2, cells: ['a, "b"\nc', '1'] },
    { line: 5, cells: ['', '2'] },
    { line: 6, cells: ['last', ''] },
  ])
  assert.deepEqual(readCsv(''), [])
})

test('a quotation mark in the wrong place is refused with its line', () => {
  for (const text of ['name\nRe"x', 'name\n"Rex', 'name\n"Rex"y']) {
    assert.throws(() => readCsv(text), { message: /^Line 2: a quotation mark stands in the wrong place/ })
  }
})
