import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { rowsOf } from '../commands/command.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { assertUnavailable, createPet, petNames } from './storage-trouble.ts'
import { allAnimals } from './writers.ts'

/** Ends the thread from outside, as running out of memory would: SIGUSR2 is nobody else's. */
const MORTAL_THREADS = `
  import { syncBuiltinESMExports } from 'node:module'
  import threads from 'node:worker_threads'
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(...given) {
      super(...given)
      process.on('SIGUSR2', () => this.terminate())
    }
  }
  syncBuiltinESMExports()
`

test('a writer thread that dies ends the process once everybody has an answer; the next start takes over', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(MORTAL_THREADS)}`
  await using service = await startServiceProcess({ environment: { NODE_OPTIONS: `--import "${preload}"` } })
  const { pid } = service
  const clients = Array.from({ length: 8 }, (_, index) => createUntilRefused(service, index))
  await until('animals are stored', async () => (await petNames(service)).length >= 8)

  process.kill(pid, 'SIGUSR2')
  const ends = await Promise.all(clients)
  assert.ok(
    ends.some(({ unread }) => unread === undefined),
    'somebody was told',
  )
  const { code, signal, stderr } = await service.ended()
  assert.deepEqual({ code, signal }, { code: 1, signal: null })
  const line = stderr.split('\n').find((text) => text.includes('"level":60'))
  assert.match(line ?? '', /The thread that writes the database has ended/)

  leaveLease(service.dataDirectory)
  await service.restart()
  assert.deepEqual(rowsOf(service.dataDirectory, 'select owner from work'), [{ __proto__: null, owner: null }])
  const stored = new Set((await allAnimals(service)).map(({ name }) => name))
  for (const { created, unread } of ends) {
    assert.deepEqual(
      created.filter((name) => !stored.has(name)),
      [],
    )
    assert.ok(!stored.has(unread ?? ''))
  }
})

interface End {
  /** The names of those acknowledged. */
  created: string[]
  /** The one that came too late, to a port or a kept connection that had just been closed. */
  unread?: string
}

/** Adds animals until an answer is not 201, or there is none. */
async function createUntilRefused(service: ServiceProcess, client: number): Promise<End> {
  const created: string[] = []
  while (true) {
    const name = `Pet ${client} ${created.length}`
    const response = await createPet(service, name).catch((error: Error) => error)
    if (response instanceof Error) {
      const code = (response.cause as NodeJS.ErrnoException | undefined)?.code
      assert.match(code ?? '', /^(?:ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)$/)
      return { created, unread: name }
    }
    if (response.status !== 201) {
      await assertUnavailable(response)
      return { created }
    }
    await response.body?.cancel()
    created.push(name)
  }
}

/** As if the process had been at work on something when it ended. */
function leaveLease(dataDirectory: string): void {
  using database = new DatabaseSync(join(dataDirectory, 'petstore.sqlite'))
  const due = Date.UTC(2100, 0, 1)
  const row = database.prepare('insert into work values (?, ?, ?, ?, ?, ?, ?)')
  row.run('test', 'cat', due, 1, 0, `${randomUUID()}/${randomUUID()}`, due)
}
