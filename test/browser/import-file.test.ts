import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partAfter } from '../../dashboard/src/features/pets/import/parts-of-file.ts'
import {
  columnsByName,
  fieldsMissing,
  formatOf,
  judgeRow,
  readFile,
  readKept,
} from '../../dashboard/src/features/pets/import/read-file.ts'
import { exportText } from '../../dashboard/src/parts/export-text.ts'

const PETS = [
  { id: 1, name: 'Rex; "the 2nd"', categoryId: 9007199254740993n, status: 'sold' },
  { id: 2, name: '  Ann  ', categoryId: -3, status: 'available' },
]

function judged(format: 'csv' | 'ndjson', text: string) {
  const file = readFile(format, text)
  return file.rows.map((row) => judgeRow(file, columnsByName(file), row))
}

test('what was exported is imported again, exact to the last digit, from CSV and from NDJSON', () => {
  const expected = PETS.map(({ id: _, ...pet }) => ({ pet }))
  assert.deepEqual(judged('csv', exportText('csv', ['id', 'name', 'categoryId', 'status'], PETS)), expected)
  assert.deepEqual(judged('ndjson', exportText('ndjson', ['id', 'name', 'categoryId', 'status'], PETS)), expected)
})

test('every bad row is told by its line and its reason, and the others are not touched by it', () => {
  const file = readFile('csv', '\uFEFFname;Category ID;status\r\nRex;1;\r\n\r\n;x;gone\r\nAnn;2\r\n"A\nB";3;sold')
  assert.deepEqual(file.names, ['name', 'Category ID', 'status'])
  const told = file.rows.map((row) => [row.line, judgeRow(file, columnsByName(file), row)])
  assert.deepEqual(told[0], [2, { pet: { name: 'Rex', categoryId: 1 } }])
  assert.match(JSON.stringify(told[1]), /^\[4,.*name must be.*categoryId must be an integer.*status must be/)
  assert.match(JSON.stringify(told[2]), /^\[5,.*2 fields, and the first line names 3 columns/)
  assert.match(JSON.stringify(told[3]), /^\[6,.*without control characters/)
  assert.match(JSON.stringify(judged('ndjson', '{"name":"Rex"\n[]\n{"name":"A","categoryId":1.5}')), /not valid JSON/)
})

test('a row with a stray quotation mark takes no other row with it', () => {
  const stray = ['5" dog,1,sold', '"Max,3,sold', '"Rex"y,4,sold', 'Ida,5,"sold', '"Ida"" ,6,sold']
  for (const bad of stray) {
    const lines = ['name,categoryId,status', bad, '"Ann, ""A""",7,sold', bad, 'Zoe,8,sold', bad]
    const rows = judged('csv', lines.join('\r\n'))
    assert.equal(rows.length, 5, bad)
    for (const at of [0, 2, 4]) assert.match(JSON.stringify(rows[at]), /quotation mark stands in the wrong place/, bad)
    assert.deepEqual(rows[1], { pet: { name: 'Ann, "A"', categoryId: 7, status: 'sold' } }, bad)
    assert.deepEqual(rows[3], { pet: { name: 'Zoe', categoryId: 8, status: 'sold' } }, bad)
  }
})

test('a row of any number of values, as of a file that is none of animals, is one row', () => {
  const file = readFile('csv', `name,categoryId,status\n${'x,'.repeat(5_000_000)}\nRex,1,sold`)
  assert.deepEqual([file.rows.length, file.rows[1]], [2, { line: 3, text: 'Rex,1,sold' }])
})

test('columns with other names are mapped by hand, and the format is found by name or by look', () => {
  const file = readFile('csv', 'Animal,Kind\nRex,1\n')
  const columns = columnsByName(file)
  assert.deepEqual(fieldsMissing(columns), ['name', 'categoryId'])
  const chosen = { ...columns, name: 0, categoryId: 1 }
  assert.deepEqual(fieldsMissing(chosen), [])
  const [row] = file.rows
  assert.deepEqual(judgeRow(file, chosen, row!), { pet: { name: 'Rex', categoryId: 1 } })
  assert.deepEqual(
    ['a.CSV', 'a.jsonl', 'a.txt'].map((name) => formatOf(name, '{"name"')),
    ['csv', 'ndjson', 'ndjson'],
  )
})

test('the parts of a file follow each other without a gap, each small enough for a request', () => {
  const lines = Array.from({ length: 2500 }, (_, at) =>
    at % 10 === 0 ? 'Rex,,' : `${'ä'.repeat(at % 200)}x,${at},sold`,
  )
  const file = readFile('csv', `name,categoryId,status\n${lines.join('\n')}`)
  const columns = columnsByName(file)
  const names: string[] = []
  let at = 0
  for (let part = partAfter(file, columns, 0); ; part = partAfter(file, columns, at)) {
    assert.equal(part.after, at)
    assert.ok(part.animals.length <= 1000 && Buffer.byteLength(JSON.stringify(part)) < 65_536)
    names.push(...part.animals.map(({ categoryId }) => String(categoryId)))
    at = part.through
    if (part.last) break
  }
  assert.equal(at, 2500)
  assert.deepEqual(
    names,
    lines.flatMap((_, row) => (row % 10 === 0 ? [] : [String(row)])),
  )
})

test('an import from before blank rows were none goes on at its place, and a later one at its own', async () => {
  const text = 'name,categoryId,status\nRex,1,\n,,\nAnn,2,\nIda,3,\n'
  const columns = columnsByName(readFile('csv', text))
  const kept = { format: 'csv', file: new Blob([text]) } as const
  const namesAfter = async (place: number, job: Parameters<typeof readKept>[0]) =>
    partAfter(await readKept(job), columns, place).animals.map(({ name }) => name)
  assert.deepEqual(await namesAfter(2, kept), ['Ann', 'Ida'])
  assert.deepEqual(await namesAfter(2, { ...kept, animalsBefore: 0 }), ['Ida'])
})
