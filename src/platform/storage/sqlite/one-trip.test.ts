import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStorage } from '../open.ts'
import { platformMigration } from '../platform-migration.ts'
import { insertRows } from '../rows/insert-rows.ts'
import { defineWrite, type Storage } from '../storage.ts'
import type { Db } from '../tables.ts'

const insert = (db: Db, names: readonly string[]) =>
  insertRows(
    db,
    'settings',
    names.map((name) => ({ name, value: 'kept' })),
  )

/** Three names are two statements, and the second fails where the last name is there already. */
const add = defineWrite('test.add', (db, names: string[]) => insert(db, names), {
  runMany: (db, inputs: string[][]) => Promise.all(inputs.map((names) => insert(db, names))),
  oneStatement: true,
})

const insertOne = (db: Db, name: string) => db.insertInto('settings').values({ name, value: 'kept' }).execute()
const addByKysely = defineWrite('test.addByKysely', insertOne, {
  runMany: (db, names: string[]) => Promise.all(names.map((name) => insertOne(db, name))),
  oneStatement: true,
})

test('a write whose commit travels with it is stored whole or not at all', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-one-trip-'))
  try {
    await using storage = await openStorage({
      dataDirectory,
      databaseUrl: undefined,
      migrations: [platformMigration],
      onError: (error) => assert.fail(error),
    })
    await storage.write(add, ['first', 'second', 'third'])
    await assert.rejects(storage.write(add, ['fourth', 'fifth', 'first']), /UNIQUE/)
    assert.deepEqual(await keptNames(storage), ['first', 'second', 'third'])

    const outcomes = await Promise.allSettled([
      storage.write(add, ['fourth']),
      storage.write(add, ['fifth', 'sixth', 'first']),
      storage.write(add, ['seventh']),
    ])
    const told = outcomes.map(({ status }) => status)
    assert.deepEqual(told, ['fulfilled', 'rejected', 'fulfilled'])
    assert.deepEqual(await keptNames(storage), ['first', 'fourth', 'second', 'seventh', 'third'])

    await storage.write(addByKysely, 'eighth')
    assert.equal((await keptNames(storage)).length, 6, 'a statement that took longer than its commit')
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})

async function keptNames({ read }: Storage): Promise<string[]> {
  const rows = await read.selectFrom('settings').select('name').where('value', '=', 'kept').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
