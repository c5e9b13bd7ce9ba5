import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { confirmedAddressesMigration, mailDomainsMigration } from '../../src/features/accounts/migration.ts'
import { migrations } from '../../src/migrations.ts'
import type { Migration } from '../../src/platform/storage/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite, type Storage } from '../../src/platform/storage/storage.ts'

const insertOldAccounts = defineWrite('test.insertOldAccounts', async (db, emails: string[]) => {
  for (const [at, email] of emails.entries()) {
    await sql`insert into accounts (id, email, name, password_changed_at, operator, created_at)
      values (${`acc_${at}`}, ${email}, 'Ada', 7, 0, ${at + 7})`.execute(db)
  }
})

const insertOldLink = defineWrite('test.insertOldLink', async (db, email: string) => {
  await sql`insert into one_time_links (id, token_hash, kind, account_id, email, created_at, expires_at)
    values ('link', 'hash', 'email', 'acc_0', ${email}, 7, 8)`.execute(db)
})

const confirm = defineWrite('test.confirm', async (db, id: string) => {
  await db.updateTable('accounts').set({ email_confirmed_at: 9 }).where('id', '=', id).execute()
})

/** What the accounts have become that stood in a database of before this migration. */
async function upgraded<T>(
  migration: Migration,
  fill: (storage: Storage) => Promise<void>,
  look: (storage: Storage) => Promise<T>,
): Promise<T> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-accounts-'))
  const choice = { dataDirectory, databaseUrl: undefined, onError: () => {} }
  try {
    {
      const before = migrations.filter(({ name }) => name < migration.name)
      await using storage = await openStorage({ ...choice, migrations: before })
      await fill(storage)
    }
    await using storage = await openStorage({ ...choice, migrations })
    return await look(storage)
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
}

test('accounts from before count as confirmed', async () => {
  const [account] = await upgraded(
    confirmedAddressesMigration,
    (storage) => storage.write(insertOldAccounts, ['ada@example.com']),
    ({ read }) => read.selectFrom('accounts').selectAll().execute(),
  )
  assert.deepEqual([account?.email_confirmed_at, account?.must_confirm], [7, 0])
})

test('addresses from before are found by the one spelling; of two, the confirmed and older account is', async () => {
  const old = [
    'ada@xn--fa-hia.de',
    'xn--x@example.com',
    'bo@faß.de',
    'bo@xn--fa-hia.de',
    'cy@faß.de',
    'cy@xn--fa-hia.de',
  ]
  const { emails, linked } = await upgraded(
    mailDomainsMigration,
    async (storage) => {
      await storage.write(insertOldAccounts, old)
      await storage.write(insertOldLink, 'ada@xn--fa-hia.de')
      await storage.write(confirm, 'acc_5')
    },
    async ({ read }) => ({
      emails: (await read.selectFrom('accounts').select('email').orderBy('id').execute()).map(({ email }) => email),
      linked: (await read.selectFrom('one_time_links').select('email').executeTakeFirst())?.email,
    }),
  )
  const spelled = ['ada@faß.de', 'xn--x@example.com', 'bo@faß.de', 'bo@xn--fa-hia.de', 'cy@xn--fa-hia.de', 'cy@faß.de']
  assert.deepEqual(emails, spelled)
  assert.equal(linked, 'ada@faß.de')
})
