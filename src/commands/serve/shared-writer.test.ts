import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStorage } from '../../platform/storage/open.ts'
import type { ToWriter } from '../../platform/storage/sqlite/channel.ts'
import { platformMigration } from '../../platform/storage/platform-migration.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { SharedWriter } from './shared-writer.ts'

const insert = (db: Db, name: string) => db.insertInto('settings').values({ name, value: 'kept' }).execute()
const add = defineWrite('test.add', insert)

test('transactions of two workers take turns, and that of a dead one is undone', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-writer-'))
  try {
    await using writer = new SharedWriter()
    const ports = [writer.connect(), writer.connect()] as const
    const open = (port: (typeof ports)[number]) =>
      openStorage({ dataDirectory, databaseUrl: undefined, migrations: [platformMigration], onError, writer: port })
    const dying = await open(ports[0])
    await using living = await open(ports[1])

    const [inside, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = defineWrite('test.slow', async (db, name: string) => {
      await insert(db, name)
      inside.resolve()
      await finish.promise
    })
    const first = dying.write(slow, 'first')
    await inside.promise
    const second = living.write(add, 'second')
    finish.resolve()
    await Promise.all([first, second])

    const insideLast = Promise.withResolvers<void>()
    const endless = defineWrite('test.endless', async (db, name: string) => {
      await insert(db, name)
      insideLast.resolve()
      await new Promise(() => {})
    })
    dying.write(endless, 'third').catch(() => {})
    await insideLast.promise
    ports[0].close()
    await living.write(add, 'fourth')
    const rows = await living.read.selectFrom('settings').select('name').where('value', '=', 'kept').execute()
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), ['first', 'fourth', 'second'])
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})

test('a writer thread that fails says why, and ends nothing but itself', async () => {
  await using writer = new SharedWriter()
  writer
    .connect()
    .postMessage({ file: join(tmpdir(), 'not-there', 'petstore.sqlite'), settings: '' } satisfies ToWriter)
  assert.match((await writer.failed).message, /unable to open database file/)
})

const onError = (error: Error) => assert.fail(error)
