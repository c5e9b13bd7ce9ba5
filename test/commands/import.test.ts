import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { rowsOf, runCommand, runJson, startCommand, temporaryDirectory } from './command.ts'

const SLOW = { timeout: 300_000 }
const ROWS = 25_000
const BATCH = 10_000
const STATUSES = ['available', 'pending', 'sold'] as const

interface Stored {
  id: bigint
  name: string
  category_id: bigint
  status: string
}

const animal = (index: number) => ({
  name: `Animal ${index}, "the ${index % 7}th"`,
  categoryId: 9_007_199_254_740_993n + BigInt(index),
  status: STATUSES[index % 3],
})

const expected = Array.from({ length: ROWS }, (_, index) => {
  const { name, categoryId: category_id, status } = animal(index)
  return { name, category_id, status }
})

const csv = `name,categoryId,status\n${expected
  .map(({ name, category_id, status }) => `"${name.replaceAll('"', '""')}",${category_id},${status}\n`)
  .join('')}`

test('an import that is killed goes on where it stopped: no row is lost, none is repeated', SLOW, async (t) => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  const file = join(data.path, 'animals.csv')
  writeFileSync(file, csv)
  let killedInTheMiddle = 0

  // The kill has to land between the first commit and the last: a try that misses is one more proof of the rest.
  for (let attempt = 1; attempt <= 6 && killedInTheMiddle === 0; attempt++) {
    const project = `kennel-${attempt}`
    await runJson(['projects', 'create', project], { environment })
    const args = ['import', file, '--project', project, '--environment', 'production']
    const first = startCommand(args, { environment })
    await firstCommit(data.path, attempt)
    first.child.kill('SIGKILL')
    await first.ended

    const kept = stored(data.path, project)
    assert.equal(kept.length % BATCH === 0 || kept.length === ROWS, true, `${kept.length} rows are no whole batches`)
    if (kept.length < ROWS) killedInTheMiddle++
    t.diagnostic(`killed with ${kept.length} rows stored`)

    const second = await runJson<{ added: number; addedBefore: number }>(args, { environment })
    assert.deepEqual([second.addedBefore, second.added], [kept.length, ROWS - kept.length])
    const rows = stored(data.path, project)
    assert.deepEqual(
      rows.map(({ name, category_id, status }) => ({ name, category_id, status })),
      expected,
    )
    assert.deepEqual(rows.slice(0, kept.length), kept)

    const third = await runCommand(args, { environment })
    assert.equal(third.code, 0)
    assert.match(third.stdout, /is stored already \(25,000 animals\)/)
    assert.equal(stored(data.path, project).length, ROWS)
  }
  assert.ok(killedInTheMiddle > 0, 'no kill landed in the middle of an import')
})

test('a bad row stops with its line and how to mend it; once mended, the same command goes on', async () => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  await runJson(['projects', 'create', 'kennel'], { environment })
  const file = join(data.path, 'animals.ndjson')
  const lines = Array.from({ length: 12_000 }, (_, index) => `{"name":"Animal ${index}","categoryId":${index}}`)
  writeFileSync(file, lines.with(11_000, '{"name":" ","categoryId":"7"}').join('\n'))
  const args = ['import', file, '--project', 'kennel', '--environment', 'staging']

  const refused = await runCommand(args, { environment })
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /line 11001: the row is refused: name must be 1 to 255 .*; categoryId must be/)
  assert.match(refused.stderr, /The row reads: \{"name":" ","categoryId":"7"\}/)
  assert.match(refused.stderr, /The 10000 animals of lines 1 to 10000 are stored, and nothing of what follows/)
  assert.equal(stored(data.path, 'kennel').length, BATCH)

  writeFileSync(file, lines.join('\n'))
  const mended = await runJson<{ added: number }>(args, { environment })
  assert.equal(mended.added, 2000)
  assert.deepEqual(
    stored(data.path, 'kennel').map(({ name }) => name),
    lines.map((_, index) => `Animal ${index}`),
  )
})

test('standard input is imported, and where nobody watches no control characters are printed', async () => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  await runJson(['projects', 'create', 'kennel'], { environment })
  const args = ['import', '-', '--format', 'csv', '--project', 'kennel', '--environment', 'production']
  const input = 'status;Category ID;name\r\n;-9223372036854775808;"Réx ""II"""\r\nsold;0;b'
  const { code, stdout, stderr } = await runCommand(args, { environment, input })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Added 2 animals to kennel, production\. Their ids are 1 to 2\.\n$/)
  assert.deepEqual(
    stored(data.path, 'kennel').map((row) => ({ ...row })),
    [
      { id: 1n, name: 'Réx "II"', category_id: -9_223_372_036_854_775_808n, status: 'available' },
      { id: 2n, name: 'b', category_id: 0n, status: 'sold' },
    ],
  )
})

function stored(dataDirectory: string, project: string): Stored[] {
  return rowsOf<Stored>(
    dataDirectory,
    `select pets.id, pets.name, category_id, status from pets join projects on projects.id = project_id
    where slug = '${project}' order by pets.id`,
  )
}

async function firstCommit(dataDirectory: string, imports: number): Promise<void> {
  using database = new DatabaseSync(join(dataDirectory, 'petstore.sqlite'), { readOnly: true, timeout: 5000 })
  const begun = database.prepare('select count(*) as count from pet_imports')
  while ((begun.get() as { count: number }).count < imports) await turn()
}
