import assert from 'node:assert/strict'
import { appendFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createProject } from '../../src/features/projects/projects.ts'
import { BATCH_ROWS, importPets } from '../../src/features/pets/import/import.ts'
import { openImportSource } from '../../src/features/pets/import/source.ts'
import { migrations } from '../../src/migrations.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { temporaryDirectory } from './command.ts'

const line = (index: number) => `{"name":"Animal ${index}","categoryId":${index}}\n`
const lines = (count: number, from = 0) => Array.from({ length: count }, (_, index) => line(from + index)).join('')

async function openShop() {
  const directory = temporaryDirectory()
  const storage = await openStorage({ dataDirectory: directory.path, databaseUrl: undefined, migrations, onError() {} })
  const { id: projectId } = await createProject({ storage, clock }, { slug: 'kennel' })
  const file = join(directory.path, 'animals.ndjson')
  const run = async (options: { again?: boolean; path?: string; signal?: AbortSignal; onBatch?: () => void } = {}) => {
    const { again = false, path = file, signal = new AbortController().signal, onBatch = () => {} } = options
    await using source = await openImportSource(path, Readable.from([]), directory.path)
    const job = { tenant: { projectId, environment: 'production' }, source, format: 'ndjson' as const, again }
    return await importPets({ storage, clock }, job, onBatch, signal)
  }
  const names = async () => {
    const rows = await storage.read.selectFrom('pets').select('name').orderBy('id').execute()
    return rows.map(({ name }) => name)
  }
  return {
    file,
    run,
    names,
    write: (text: string) => writeFileSync(file, text),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      directory[Symbol.dispose]()
    },
  }
}

const countsOf = ({ added, addedBefore }: { added: number; addedBefore: number }) => ({ added, addedBefore })
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Animal ${index}`)

test('a stored file is added once more only when asked to', async () => {
  await using shop = await openShop()
  shop.write(lines(3))
  assert.equal((await shop.run()).added, 3)
  const { added, addedBefore } = await shop.run()
  assert.deepEqual({ added, addedBefore }, { added: 0, addedBefore: 3 })
  assert.equal((await shop.run({ again: true })).added, 3)
  assert.equal((await shop.run()).added, 0)
  assert.deepEqual(await shop.names(), [...numbered(3), ...numbered(3)])
})

test('a file that has grown since it was stored is another file', async () => {
  await using shop = await openShop()
  shop.write(lines(3))
  await shop.run()
  appendFileSync(shop.file, line(3))
  assert.equal((await shop.run()).added, 4)
})

test('files that begin alike do not get in the way of each other', async () => {
  await using shop = await openShop()
  shop.write(`${lines(BATCH_ROWS)}`)
  assert.equal((await shop.run()).added, BATCH_ROWS)
  const longer = `${shop.file}.longer`
  writeFileSync(longer, `${lines(BATCH_ROWS)}{}\n`)
  await assert.rejects(shop.run({ path: longer }), /line 10001/)
  const longest = `${shop.file}.longest`
  writeFileSync(longest, lines(BATCH_ROWS + 2))
  assert.deepEqual(countsOf(await shop.run({ path: longest })), { added: BATCH_ROWS + 2, addedBefore: 0 })
  writeFileSync(longer, lines(BATCH_ROWS + 1))
  assert.deepEqual(countsOf(await shop.run({ path: longer })), { added: 1, addedBefore: BATCH_ROWS })
  assert.equal((await shop.run()).added, 0)
})

test('an interrupted file is known again where it has been moved to', async () => {
  await using shop = await openShop()
  shop.write(lines(BATCH_ROWS + 1))
  const stop = new AbortController()
  let batches = 0
  await shop.run({ signal: stop.signal, onBatch: () => batches++ === 1 && stop.abort() })
  const moved = `${shop.file}.moved`
  renameSync(shop.file, moved)
  assert.deepEqual(countsOf(await shop.run({ path: moved })), { added: 1, addedBefore: BATCH_ROWS })
})

test('an import that was asked to stop ends at a batch, and the next run goes on behind it', async () => {
  await using shop = await openShop()
  shop.write(lines(BATCH_ROWS + 5))
  const stop = new AbortController()
  let batches = 0
  const first = await shop.run({ signal: stop.signal, onBatch: () => batches++ === 1 && stop.abort() })
  assert.deepEqual([first.added, first.stopped], [BATCH_ROWS, true])
  const second = await shop.run({ again: true })
  assert.deepEqual([second.added, second.addedBefore], [5, BATCH_ROWS])
  assert.deepEqual(await shop.names(), numbered(BATCH_ROWS + 5))
})

test('after an interruption a changed beginning is refused, because its rows would be stored twice', async () => {
  await using shop = await openShop()
  shop.write(`${lines(BATCH_ROWS)}{"name":"no category"}\n`)
  await assert.rejects(shop.run(), /line 10001: the row is refused: categoryId is required/)
  shop.write(`${line(77)}${lines(BATCH_ROWS)}`)
  await assert.rejects(shop.run(), /10000 animals from the beginning of .* and that beginning .* been changed/)
  assert.equal((await shop.run({ again: true })).added, BATCH_ROWS + 1)
  assert.equal((await shop.names()).length, 2 * BATCH_ROWS + 1)
})

test('a file that changes while it is read is not stored any further', async () => {
  await using shop = await openShop()
  shop.write(lines(BATCH_ROWS + 5))
  let batches = 0
  const changing = shop.run({ onBatch: () => batches++ === 1 && utimesSync(shop.file, 1, 1) })
  await assert.rejects(changing, /was changed while it was read/)
  assert.equal((await shop.names()).length, BATCH_ROWS)
  assert.equal((await shop.run()).added, 5)
})

test('two imports of one file at the same time store it once', async () => {
  await using shop = await openShop()
  shop.write(lines(BATCH_ROWS + 5))
  const outcomes = await Promise.allSettled([shop.run(), shop.run()])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.deepEqual(await shop.names(), numbered(BATCH_ROWS + 5))
})

test('an empty file, empty lines and a missing last line break are no trouble', async () => {
  await using shop = await openShop()
  shop.write('')
  assert.equal((await shop.run()).added, 0)
  shop.write(`\n${line(0)}\r\n  \n${line(1).trim()}`)
  assert.equal((await shop.run()).added, 2)
  assert.deepEqual(await shop.names(), numbered(2))
})
