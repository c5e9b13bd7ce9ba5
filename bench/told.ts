import { tmpdir } from 'node:os'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { addMany } from '../src/features/pets/writes.ts'
import { createProject } from '../src/features/projects/projects.ts'
import { migrations } from '../src/migrations.ts'
import { systemClock } from '../src/platform/clock.ts'
import { subscribe, unsubscribe } from '../src/platform/outbox/subscriptions.ts'
import { openStorage } from '../src/platform/storage/open.ts'
import type { Db } from '../src/platform/storage/tables.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { median } from './load.ts'
import { report } from './report.ts'

/**
 * What the triggers that tell webhooks of animals cost whoever adds one on PostgreSQL: one statement for each animal,
 * as the service adds them, in slices that take turns, without the trigger, with it and nobody listening, and with an
 * endpoint that does. With and without the wait for the disk, which hides most of it.
 */
const ROUNDS = 15
const ANIMALS = 300

for (const fsync of ['off', 'on']) {
  await using server = await startPostgres({ settings: { fsync } })
  const databaseUrl = await server.createDatabase()
  await using storage = await openStorage({ dataDirectory: tmpdir(), databaseUrl, migrations, onError: () => {} })
  const { id: projectId } = await createProject({ storage, clock: systemClock }, { slug: 'told' })
  const db: Db = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }),
  })
  const tenant = { projectId, environment: 'production' as const }
  const fields = { name: 'Rex', categoryId: 1, status: 'available' as const }

  const trigger = (does: 'enable' | 'disable') =>
    sql`alter table pets ${sql.raw(does)} trigger pets_told_insert`.execute(db)
  const listener = { id: 'hook', projectId, types: ['pet.created'], environment: undefined }
  const sides: Record<string, () => Promise<unknown>> = {
    without: () => trigger('disable'),
    unheard: () => trigger('enable'),
    heard: async () => {
      await trigger('enable')
      await subscribe(db, listener)
    },
  }
  const times: Record<string, number[]> = { without: [], unheard: [], heard: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, prepare] of Object.entries(sides)) {
      await prepare()
      const startedAt = performance.now()
      for (let count = 0; count < ANIMALS; count++) await addMany(db, [{ tenant, fields, now: 0 }], 'postgres')
      // The first is spent on plans.
      if (round > 0) times[side]?.push((1000 * (performance.now() - startedAt)) / ANIMALS)
      await unsubscribe(db, listener.id)
    }
  }
  const of = (side: string) => median(times[side] ?? [])
  report(`An animal that is added on PostgreSQL, fsync ${fsync}, µs`, [
    { what: 'told to nobody / without the trigger', service: of('unheard'), other: of('without') },
    { what: 'told to one endpoint / without the trigger', service: of('heard'), other: of('without') },
  ])
  await db.destroy()
}
