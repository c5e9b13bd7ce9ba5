import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { confirmedAddressesMigration } from '../../src/features/accounts/migration.ts'
import { migrations } from '../../src/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'

const insertOldAccount = defineWrite('test.insertOldAccount', async (db, _: object) => {
  await sql`insert into accounts (id, email, name, password_changed_at, operator, created_at)
    values ('acc_ada', 'ada@example.com', 'Ada', 7, 0, 7)`.execute(db)
})

test('accounts from before count as confirmed', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-confirmed-'))
  const choice = { dataDirectory, databaseUrl: undefined, onError: () => {} }
  try {
    {
      const before = migrations.filter(({ name }) => name < confirmedAddressesMigration.name)
      await using storage = await openStorage({ ...choice, migrations: before })
      await storage.write(insertOldAccount, {})
    }
    await using storage = await openStorage({ ...choice, migrations })
    const [account] = await storage.read.selectFrom('accounts').selectAll().execute()
    assert.deepEqual([account?.email_confirmed_at, account?.must_confirm], [7, 0])
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})
