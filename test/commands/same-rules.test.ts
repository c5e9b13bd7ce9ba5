import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { CHECKOUT_COMMANDS, networkCommands } from '../../cli/src/command-table.ts'
import { readRows } from '../../cli/src/import/rows.ts'
import type { AnimalSchema } from '../../cli/src/import/schema.ts'
import * as directory from '../../cli/src/deploys/directory.ts'
import * as choices from '../../cli/src/line/choices.ts'
import { isJunk as clientsIsJunk } from '../../client/src/platform/junk.ts'
import { readDrop } from '../../dashboard/src/features/deploys/dropped.ts'
import { columnsByName, type FileRow, judgeRow, readFile } from '../../dashboard/src/features/pets/import/read-file.ts'
import { exportText } from '../../dashboard/src/parts/export-text.ts'
import { commands } from '../../src/commands/command-table.ts'
import { ROLES } from '../../src/features/accounts/role.ts'
import { isJunk } from '../../src/features/deploys/archive/archive.ts'
import { DEPLOY_LIMITS } from '../../src/features/deploys/archive/limits.ts'
import { REDIRECT_STATUSES } from '../../src/features/domains/redirects.ts'
import { ORDER_STATUSES } from '../../src/features/orders/status.ts'
import { NewPet } from '../../src/features/pets/contract.ts'
import { readCsvHeader, readCsvRow } from '../../src/features/pets/import/csv.ts'
import { splitRecords, type TextRecord } from '../../src/features/pets/import/records.ts'
import { PET_ORDERS, PET_STATUSES } from '../../src/features/pets/status.ts'
import { PLANS } from '../../src/features/projects/tables.ts'
import { FAULT_KINDS } from '../../src/platform/dns/zone.ts'
import { ENVIRONMENTS } from '../../src/platform/http/operation.ts'

test('the installed command line names the very commands that only a checkout has', () => {
  const installed = new Set([...Object.keys(networkCommands), 'completion'])
  const others = Object.keys(commands).filter((name) => !installed.has(name))
  assert.deepEqual(others.toSorted(), CHECKOUT_COMMANDS.toSorted())
})

test('the command line offers the values that the service takes', () => {
  assert.deepEqual(choices.ENVIRONMENTS, ENVIRONMENTS)
  assert.deepEqual(choices.FAULT_KINDS, FAULT_KINDS)
  assert.deepEqual(choices.ORDER_STATUSES, ORDER_STATUSES)
  assert.deepEqual(choices.PET_ORDERS, PET_ORDERS)
  assert.deepEqual(choices.PET_STATUSES, PET_STATUSES)
  assert.deepEqual(choices.PLANS, PLANS)
  assert.deepEqual(choices.REDIRECT_STATUSES, REDIRECT_STATUSES.map(String))
  assert.deepEqual(choices.ROLES, ROLES)
})

test('a directory is limited and cleaned as an archive is', () => {
  const { FILES_MAX, FILE_BYTES_MAX, ALL_BYTES_MAX } = directory
  const { entriesMax, fileBytesMax, inflatedBytesMax } = DEPLOY_LIMITS
  assert.deepEqual([FILES_MAX, FILE_BYTES_MAX, ALL_BYTES_MAX], [entriesMax, fileBytesMax, inflatedBytesMax])
  const folders = ['__MACOSX', '.git', '.hg', '.svn', '.Spotlight-V100', '.Trashes', '.fseventsd', '.well-known', 'a']
  const files = ['.DS_Store', 'Thumbs.db', 'ehthumbs.db', 'desktop.ini', 'Desktop.ini', '._index.html', 'index.html']
  const paths = folders.flatMap((folder) => files.flatMap((file) => [file, `${folder}/${file}`, `a/${folder}/b.html`]))
  assert.deepEqual(paths.filter(clientsIsJunk), paths.filter(isJunk))
  const dropped = paths.map((path) => Object.assign(new File([], path.split('/').at(-1)!), { relativePath: path }))
  const drop = readDrop(dropped)
  assert.deepEqual(
    drop.ok && drop.files.map(({ path }) => path),
    paths.filter((path) => !isJunk(path)),
  )
})

/** The place of an import is a count of rows, and what one of them has begun the others go on with. */
test('the command line, the dashboard and the service find the same rows in a file', async () => {
  const lines = ['', ' ', ',,', '" ",,', '"","",""', '"\n",', ';;', 'Rex,1,', '"R, ex",1,"sold"', ',1,']
  const pairs = lines.flatMap((first) => lines.map((second) => [first, second]))
  for (const [mark, end] of [
    ['', '\n'],
    ['\uFEFF', '\r\n'],
  ] as const) {
    for (const pair of pairs) {
      const text = mark + ['name,categoryId,status', ...pair, 'Ida,2,', ''].join(end)
      const inDashboard = readFile('csv', text)
      const inCommand = readRows('csv', text.replace(mark, ''), NewPet as unknown as AnimalSchema)
      const [rows, others] = [inDashboard, inCommand].map((file) => file.rows.map(({ line }) => line))
      assert.deepEqual(others, rows, JSON.stringify(text))
      assert.deepEqual(await linesOfService(text), rows, JSON.stringify(text))
      assert.equal(inCommand.hasBlankRows, inDashboard.hasBlankRows, JSON.stringify(text))
    }
  }
})

test('the command line takes the numbers of a file for integers where the dashboard and the service do', () => {
  const whole = ['0', '7', '1.0', '1e3', '120e-1', '0e999', '0.001e3', '9007199254740993', '9223372036854775807']
  const others = ['0.99999999999999999999', '9007199254740991.4', '1e-400', '12e-1', '1e400', '9223372036854775808']
  for (const number of [...whole, ...others, '-9223372036854775808', '"1"', '1.', '.5', '01', '1e', '+1', 'x']) {
    for (const [format, text] of [
      ['ndjson', `{"name":"1.5 Rex","categoryId":${number}}`],
      ['csv', `name,categoryId\nRex,${number}`],
    ] as const) {
      const file = readFile(format, text)
      const judged = judgeRow(file, columnsByName(file), file.rows[0] as FileRow)
      const [row] = readRows(format, text, NewPet as unknown as AnimalSchema).rows
      const animal = row && 'animal' in row ? row.animal : undefined
      assert.deepEqual(animal, 'pet' in judged ? judged.pet : undefined, text)
    }
  }
})

test('a text that a spreadsheet program would run is exported guarded, and every import takes the guard off', () => {
  const header = readCsvHeader(recordOf('name,categoryId'))
  for (const name of ['=1+1', '-Rex', '+49', '@home', '＝1', "'=1+1", "''-", "'Tis", "'", 'a=1', '=A;"1"']) {
    const text = exportText('csv', ['name', 'categoryId'], [{ name, categoryId: -3 }])
    const row = text.split('\r\n')[1] as string
    assert.doesNotMatch(row, /^"?[=+\-@＝]/)
    assert.ok(row.endsWith(',-3'), 'a number is none')
    const file = readFile('csv', text)
    const judged = judgeRow(file, columnsByName(file), file.rows[0] as FileRow) as { pet: NewAnimal }
    const [read] = readRows('csv', text, NewPet as unknown as AnimalSchema).rows as unknown as [{ animal: NewAnimal }]
    const stored = readCsvRow(recordOf(row), header) as NewAnimal
    assert.deepEqual([judged.pet.name, read.animal.name, stored.name], [name, name, name])
  }
})

interface NewAnimal {
  name: string
}

const recordOf = (line: string): TextRecord => ({ bytes: Buffer.from(line), line: 1, end: { bytes: 0, lines: 0 } })

async function linesOfService(text: string): Promise<number[]> {
  const chunks = Readable.from([Buffer.from(text)])
  const [head, ...records] = (await Array.fromAsync(splitRecords(chunks, { bytes: 0, lines: 0 }, true))).flat()
  const header = readCsvHeader(head as TextRecord)
  const isRow = (record: TextRecord) => {
    try {
      return readCsvRow(record, header) !== undefined
    } catch {
      return true
    }
  }
  return records.filter(isRow).map(({ line }) => line)
}
