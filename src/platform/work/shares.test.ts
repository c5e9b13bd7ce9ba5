import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely'
import { openPostgres, type PostgresDatabases } from '../../../test/harness/postgres.ts'
import { until } from '../../../test/harness/until.ts'
import { HOUR_MS, ManualClock, SECOND_MS } from '../clock.ts'
import { ChangeFeed } from '../storage/change-feed.ts'
import { openStorage } from '../storage/open.ts'
import { noticeOrderMigration, platformMigration } from '../storage/platform-migration.ts'
import { defineWrite, type Storage } from '../storage/storage.ts'
import type { Db } from '../storage/tables.ts'
import { claimWork, finishWork, hasDueWork, type Lease, scheduleWork } from './lease.ts'
import { workMigration } from './migration.ts'
import { WorkRunner } from './runner.ts'

const NOW = Date.UTC(2026, 10, 15)
const QUEUE = 'feeding'
const SUBJECTS = Array.from({ length: 20 }, (_, at) => `eve ${String(at).padStart(2, '0')}`)

const schedule = defineWrite('test.schedule', async (db, _: undefined, engine) => {
  for (const [at, subject] of SUBJECTS.entries()) {
    await scheduleWork(db, engine, { queue: QUEUE, subject, dueAt: NOW - HOUR_MS + at, now: NOW })
  }
})
const finish = defineWrite('test.finish', (db, lease: Lease, engine) =>
  finishWork(db, engine, lease, { nextDueAt: undefined }),
)

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`places of one holder on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let storage: Storage
    const directory = mkdtempSync(join(tmpdir(), 'petstore-shares-'))
    const migrations = [platformMigration, workMigration, noticeOrderMigration]

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      const databaseUrl = await server?.createDatabase()
      storage = await openStorage({ dataDirectory: directory, databaseUrl, migrations, onError: () => {} })
    })
    after(async () => {
      await storage?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    })

    /** Works on everything; what is given back is counted. */
    async function feedAll(holderOf: (subject: string) => Promise<string>) {
      const [begun, errors]: [string[], unknown[]] = [[], []]
      let givenBack = 0
      const counted: Storage = Object.create(storage, {
        write: {
          value: (write: { name: string }, input: unknown) => {
            if (write.name === 'work.handBack') givenBack += (input as Lease[]).length
            return storage.write(write as never, input as never)
          },
        },
      })
      const clock = new ManualClock(NOW)
      await using changes = new ChangeFeed(storage, clock)
      await storage.write(schedule, undefined)
      await using runner = new WorkRunner({
        storage: counted,
        clock,
        changes,
        queue: QUEUE,
        concurrency: 8,
        share: { holderOf, placesMax: 2 },
        leaseMs: HOUR_MS,
        onError: (error) => errors.push(error),
        async handle(lease) {
          begun.push(lease.subject)
          await storage.write(finish, lease)
        },
      })
      runner.start()
      await until('all are fed', () => begun.length === SUBJECTS.length || (clock.advance(SECOND_MS), false))
      return { begun, errors, givenBack }
    }

    test('what finds none is given back once, and claimed again when one is free', async () => {
      const { begun, errors, givenBack } = await feedAll(async () => 'eve')
      assert.deepEqual([begun.toSorted(), errors], [SUBJECTS, []])
      assert.ok(givenBack < SUBJECTS.length, `${givenBack} were given back`)
    })

    test('what is claimed is given back where nobody can say whose it is', async () => {
      let asked = 0
      const { begun, errors } = await feedAll(async () => {
        if (++asked === 4) throw new Error('the database is away')
        return 'eve'
      })
      assert.deepEqual([begun.toSorted(), errors.length], [SUBJECTS, 1])
    })
  })
}

test('questions for work have the same text however much is under way or left to lie', async () => {
  const texts = new Set<string>()
  const db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => assert.fail(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void texts.add(query.sql),
  }) as unknown as Db
  for (let count = 1; count <= 50; count++) {
    const wanted = { queue: QUEUE, now: NOW, busy: SUBJECTS.slice(0, count), except: SUBJECTS.slice(0, count) }
    await hasDueWork(db, 'postgres', wanted)
    await claimWork(db, 'postgres', { ...wanted, owners: ['one'], leaseMs: HOUR_MS })
  }
  assert.equal(texts.size, 2)
})
