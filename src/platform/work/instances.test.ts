import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { HOUR_MS } from '../clock.ts'
import { openStorage } from '../storage/open.ts'
import { platformMigration } from '../storage/platform-migration.ts'
import { defineWrite, type Storage } from '../storage/storage.ts'
import { joinInstances, ownerToken } from './instances.ts'
import { scheduleWork } from './lease.ts'
import { workMigration } from './migration.ts'
import { claim } from './runner.ts'

const NOW = Date.UTC(2026, 10, 15)
const QUEUE = 'feeding'
const directory = mkdtempSync(join(tmpdir(), 'petstore-instances-'))
after(() => rmSync(directory, { recursive: true }))

const migrations = [platformMigration, workMigration]
const open = () => openStorage({ dataDirectory: directory, databaseUrl: undefined, migrations, onError: assert.fail })
const schedule = defineWrite('test.schedule', (db, subject: string, engine) =>
  scheduleWork(db, engine, { queue: QUEUE, subject, dueAt: NOW, now: NOW }),
)
const take = async (storage: Storage) => {
  const owners = [ownerToken(storage.instance)]
  return (await storage.write(claim, { queue: QUEUE, owners, now: NOW, leaseMs: HOUR_MS, busy: [] }))[0]?.subject
}

test('who starts takes over the work of the dead at once, and leaves that of the living alone', async () => {
  await using first = await open()
  await using second = await open()
  await using third = await open()
  for (const subject of ['cat', 'dog']) await first.write(schedule, subject)
  using _living = joinInstances(first, directory)
  const dying = joinInstances(second, directory)
  assert.deepEqual([await take(first), await take(second), await take(third)], ['cat', 'dog', undefined])

  dying[Symbol.dispose]()
  using _new = joinInstances(third, directory)
  assert.deepEqual([await take(third), await take(third)], ['dog', undefined])
  assert.deepEqual(readdirSync(join(directory, 'instances')).toSorted(), [first.instance, third.instance].toSorted())
})
