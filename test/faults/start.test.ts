import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { ConfigError, readConfig } from '../../src/config.ts'
import { migrations } from '../../src/migrations.ts'
import { migrate, type Migration } from '../../src/platform/storage/migrations.ts'
import { openSqlite } from '../../src/platform/storage/sqlite/connection.ts'
import { databaseFile, openStorage } from '../../src/platform/storage/open.ts'
import { openPostgres } from '../harness/postgres.ts'
import { serverUser } from '../harness/postgres-binaries.ts'
import { runService, type ServiceOptions } from '../harness/service-process.ts'

const scratch = mkdtempSync(join(tmpdir(), 'petstore-start-'))
chmodSync(scratch, 0o755)
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Exit code 1, and one sentence for the operator: what is wrong and what to do. No stack, no internals. */
async function assertRefusesToStart(
  environment: Record<string, string>,
  sentence: RegExp,
  options: ServiceOptions = {},
) {
  const { code, stdout, stderr } = await runService({ PETSTORE_DATA: join(scratch, 'data'), ...environment }, options)
  assert.match(stderr, sentence)
  assert.equal(code, 1, stderr)
  assert.equal(stdout, '')
  assert.doesNotMatch(stderr, /^\s+at |node:internal|ERR_|Error:/m)
}

test('a data directory that is a file, or below one, is refused', async () => {
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  await assertRefusesToStart({ PETSTORE_DATA: file }, /file is no directory: set PETSTORE_DATA/)
  await assertRefusesToStart({ PETSTORE_DATA: join(file, 'data') }, /data lies below what is no directory: set PETST/)
})

test('a data directory that this user may not write is refused', () => {
  const directory = join(scratch, 'unwritable')
  mkdirSync(directory)
  chmodSync(directory, 0o555)
  return assertRefusesToStart(
    { PETSTORE_DATA: directory },
    /cannot be written \(EACCES\).*Give this user the right/s,
    asNobody(),
  )
})

test('a database file that this user may not write is refused', async () => {
  const directory = join(scratch, 'foreign-file')
  mkdirSync(directory)
  const file = join(directory, 'petstore.sqlite')
  new DatabaseSync(file).close()
  chmodSync(file, 0o444)
  const user = asNobody()
  if (user.user) chownSync(directory, user.user.uid, user.user.gid)
  await assertRefusesToStart(
    { PETSTORE_DATA: directory },
    /database may not be written by this user\. Run the command as/,
    user,
  )
})

test('a file that is no database is refused', async () => {
  const directory = join(scratch, 'no-database')
  mkdirSync(directory)
  writeFileSync(join(directory, 'petstore.sqlite'), 'This is a letter to my aunt. '.repeat(200))
  await assertRefusesToStart({ PETSTORE_DATA: directory }, /is not a SQLite database\. Check PETSTORE_DATA/)
})

test('SQLite: a newer schema than the code is refused', async () => {
  const dataDirectory = join(scratch, 'newer')
  const storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: assert.fail })
  await storage[Symbol.asyncDispose]()
  using database = new DatabaseSync(databaseFile(dataDirectory))
  database.exec(`insert into kysely_migration values ('9999_from_the_future', '2031-01-01')`)
  await assertRefusesToStart(
    { PETSTORE_DATA: dataDirectory },
    /newer version of Petstore.*9999_from_the_future.*restore a backup/s,
  )
})

test('SQLite: a step whose transaction has ended by itself, as on a full disk, says why', async () => {
  const connection = openSqlite(join(scratch, 'ended.sqlite'), { readOnly: false })
  const ended: Migration = {
    name: '0001_ended',
    async up(db) {
      await sql`create table words (word text primary key)`.execute(db)
      for (const word of ['Rex', 'Rex']) await sql`insert or rollback into words values (${word})`.execute(db)
    },
  }
  await assert.rejects(migrate(connection.db, 'sqlite', [ended]), /UNIQUE constraint failed/)
  connection.close()
})

test('PostgreSQL: a newer schema than the code is refused', async () => {
  await using postgres = await openPostgres()
  const DATABASE_URL = await postgres.createSchema()
  const client = new Client(DATABASE_URL)
  await client.connect()
  await client.query(`insert into kysely_migration values ('9999_from_the_future', '2031-01-01')`)
  await client.end()
  await assertRefusesToStart({ DATABASE_URL }, /newer version of Petstore/)
})

test('a database that does not get on ends the start, and the sentence is for whoever started it', async () => {
  await using postgres = await openPostgres()
  const DATABASE_URL = await postgres.createSchema()
  const client = new Client(DATABASE_URL)
  await client.connect()
  await client.query('begin')
  await client.query('lock table settings in access exclusive mode')
  await assertRefusesToStart({ DATABASE_URL }, /did not answer, or not in time.*Check that it runs.*try again/s)
  await client.end()
})

test('a database server that is not there is refused, without its password', async () => {
  const DATABASE_URL = 'postgres://petstore:hunter2@127.0.0.1:1/petstore'
  const { code, stdout, stderr } = await runService({ PETSTORE_DATA: join(scratch, 'data'), DATABASE_URL })
  assert.equal(code, 1)
  assert.match(stderr, /could be reached.*Check the address/s)
  assert.doesNotMatch(stdout + stderr, /hunter2/)
})

test('a port that is in use is refused, and says how to choose another', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const base = { PETSTORE_LISTEN: '127.0.0.1' }
  await assertRefusesToStart(
    { ...base, PETSTORE_BASE_URL: `http://localhost:${port}/v1` },
    /Port \d+ is in use.*PETSTORE_BASE_URL/s,
  )
  const ofAdmin = /^Port \d+ is in use by another process\. .* choose another port with PETSTORE_ADMIN_PORT\.$/m
  await assertRefusesToStart({ ...base, PETSTORE_ADMIN_PORT: String(port) }, ofAdmin)
  server.close()
})

test('a setting that cannot be used is refused by name', () =>
  assertRefusesToStart({ PETSTORE_BASE_URL: 'https://api.example.com' }, /PETSTORE_BASE_URL .* must .* \/v1/))

test('an address that ends in /v1 and is refused is told what is too much', () => {
  const settings = { PETSTORE_BASE_URL: 'https://ann@api.example.com/v1' }
  assert.throws(() => readConfig(settings), /must be http:\/\/ or https:\/\/, a host, and \/v1, with nothing else/)
})

for (const [name, value] of [
  ['PETSTORE_STAGING_URL', 'ftp://staging.example.com/v1'],
  ['PETSTORE_STAGING_URL', 'http://localhost:4000/v1'],
  ['PETSTORE_BASE_URL', 'http://localhost:0/v1'],
  ['PETSTORE_PLATFORM_HOST', 'not a host'],
  ['PETSTORE_ADMIN_PORT', '70000'],
  ['PETSTORE_ADMIN_PORT', '0'],
  ['PETSTORE_HTTPS_PORT', '1e3'],
  ['PETSTORE_HTTP_PORT', '0x50'],
  ['PETSTORE_LISTEN', ','],
  ['PETSTORE_LISTEN', 'localhost'],
  ['PETSTORE_LISTEN', '127.0.0.1,[::]'],
  ['PETSTORE_LISTEN', '0.0.0.0:4000'],
  ['PETSTORE_HTTPS_PORT', '4000'],
  ['PETSTORE_ADMIN_PORT', '4001'],
  ['PETSTORE_ADMIN_PORT', '4443'],
  ['PETSTORE_PLATFORM_HOST', 'pets.example.com:8080'],
  ['PETSTORE_BASE_URL', 'https://ann@api.example.com/v1'],
  ['PETSTORE_BASE_URL', 'https://api.example.com./v1'],
  ['PETSTORE_DNS', ' , '],
  ['PETSTORE_RATE_LIMIT', 'fast'],
  ['PETSTORE_RATE_LIMIT', `${'9'.repeat(400)}/s`],
  ['PETSTORE_AUDIT_DAYS', '0x10'],
  ['PETSTORE_WORKERS', '1e1'],
  ['PETSTORE_ACME_EMAIL', 'ops@example.com'],
  ['PETSTORE_SIGNUP', 'maybe'],
  ['PETSTORE_LOG_LEVEL', 'loud'],
  ['PETSTORE_ACME_DIRECTORY', 'http://acme.example.com'],
  ['PETSTORE_ACME_FALLBACK_DIRECTORY', 'https://acme.example.com/directory'],
  ['PETSTORE_WATCH', 'now and then'],
  ['DATABASE_URL', 'mysql://root@localhost/pets'],
] as const) {
  test(`${name}=${value} is one of them`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && new RegExp(`^${name}.* must `).test(error.message),
    )
  })
}

test('no port has two listeners that speak differently; plain addresses may share one', () => {
  const both = {
    PETSTORE_BASE_URL: 'https://api.example.com/v1',
    PETSTORE_STAGING_URL: 'HTTPS://staging.example.com/v1',
  }
  assert.equal(readConfig(both).httpPort, 80)
  const zone = { PETSTORE_PLATFORM_HOST: 'pets.example', PETSTORE_DNS_ZONE: 'acme.pets.example' }
  for (const [settings, port] of [
    [{ ...both, PETSTORE_HTTPS_PORT: '80' }, 80],
    [{ PETSTORE_BASE_URL: 'http://api.example.com:4443/v1' }, 4443],
    [{ ...zone, PETSTORE_DNS_LISTEN: '0.0.0.0:4443' }, 4443],
  ] as const) {
    const sentence = new RegExp(`PETSTORE_\\w+ has port ${port}, but must have another one than PETSTORE_\\w+: choose`)
    assert.throws(() => readConfig(settings), sentence)
  }
  const shared = { PETSTORE_BASE_URL: 'http://a.example/v1', PETSTORE_STAGING_URL: 'http://b.example/v1' }
  assert.equal(readConfig({ ...shared, PETSTORE_HTTP_PORT: '80' }).httpPort, 80)
})

test('an account at an authority that it cannot have is refused', () => {
  const read = (more: Record<string, string>) => () =>
    readConfig({ PETSTORE_ACME_DIRECTORY: 'https://acme.example.com/directory', ...more })
  assert.throws(
    read({ PETSTORE_ACME_EMAIL: 'mailto:ops@example.com' }),
    /PETSTORE_ACME_EMAIL is .* must be one address/,
  )
  const binding = { PETSTORE_ACME_EAB_KID: 'kid', PETSTORE_ACME_EAB_KEY: 'not in base64!' }
  assert.throws(read(binding), /PETSTORE_ACME_EAB_KEY must be the MAC key/)
})

test('blanks around a setting are none of it', () => {
  const settings = { PETSTORE_DATA: '/srv/pets', DATABASE_URL: 'postgres://ann@one/pets', PETSTORE_HTTPS_PORT: '443' }
  const padded = Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, ` ${text}\n`]))
  assert.deepEqual(readConfig(padded), readConfig(settings))
})

test('a setting that is empty is as one that was left out', () => {
  const names = [...readFileSync('docs/operating.md', 'utf8').matchAll(/`((?:PETSTORE|DATABASE)_[A-Z_]+)`/g)]
  for (const empty of ['', ' ']) {
    const settings = Object.fromEntries(names.map(([, name = '']) => [name, empty]))
    assert.deepEqual(readConfig(settings), readConfig({}))
  }
})

test('a Node that lacks a part on which the edge stands is refused', () => {
  const without = `import { TLSSocket } from 'node:tls'; delete TLSSocket.prototype._tlsError`
  return assertRefusesToStart(
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(without)}` },
    /^Node [\d.]+ lacks tls\.TLSSocket#_tlsError, which the edge needs: run Petstore with .* \(npm ci\)\.$/m,
  )
})

/** Root may write anywhere: the service is then started as another user. */
function asNobody(): ServiceOptions {
  return serverUser.uid === undefined ? {} : { user: serverUser }
}
