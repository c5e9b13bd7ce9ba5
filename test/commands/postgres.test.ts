import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { addressesOn, ownPorts } from '../harness/free-ports.ts'
import { openPostgres } from '../harness/postgres.ts'
import { runCommand, runJson, temporaryDirectory } from './command.ts'

test('on PostgreSQL the commands do the same, and leave dumps to its own tools', { timeout: 300_000 }, async () => {
  await using postgres = await openPostgres()
  using data = temporaryDirectory()
  const DATABASE_URL = await postgres.createDatabase()
  const environment = { DATABASE_URL, PETSTORE_DATA: data.path }

  await runJson(['projects', 'create', 'kennel'], { environment })
  const place = ['--project', 'kennel', '--environment', 'staging']
  const { id } = await runJson<{ id: string }>(['keys', 'create', ...place], { environment })
  assert.equal((await runJson<{ state: string }>(['keys', 'revoke', id], { environment })).state, 'revoked')

  const animals = Array.from({ length: 12_345 }, (_, index) => ({ name: `Animal ${index}`, categoryId: 5 - index }))
  const input = animals.map((animal) => `${JSON.stringify(animal)}\n`).join('')
  const args = ['import', '-', '--format', 'ndjson', ...place]
  const outcome = await runJson<{ added: number; firstId: number; lastId: number }>(args, { environment, input })
  assert.deepEqual([outcome.added, outcome.firstId, outcome.lastId], [12_345, 1, 12_345])
  assert.equal((await runJson<{ added: number }>(args, { environment, input })).added, 0)
  const client = new Client(DATABASE_URL)
  await client.connect()
  const { rows } = await client.query('select name, category_id::int as "categoryId" from pets order by id')
  await client.end()
  assert.deepEqual(rows, animals)

  // Not the default ports: somebody may be using those.
  const ports = addressesOn(await ownPorts())
  const { checks } = await runJson<{ checks: { name: string; state: string }[] }>(['doctor'], {
    environment: { ...environment, ...ports },
  })
  assert.equal(checks.find(({ name }) => name === `PostgreSQL 127.0.0.1:${postgres.port}`)?.state, 'ok')

  const file = join(data.path, 'dump')
  const backup = await runCommand(['backup', file], { environment: { ...environment, PATH: data.path } })
  assert.equal(backup.code, 1)
  assert.ok(backup.stderr.includes(`pg_dump --format=custom --file='${file}' --dbname='${DATABASE_URL}'`))
})

test('a dump goes back into a new database, by commands that hold no password and what libpq knows', async () => {
  const url = 'postgres://ann:s3cret@bouncer:6432/pets?pgbouncer=true&query_timeout=9&sslmode=disable'
  const { code, stderr } = await runCommand(['restore', "/it's a dump"], { environment: { DATABASE_URL: url } })
  assert.equal(code, 1)
  const [, fresh] = /(petstore_restored_\d{14})/.exec(stderr) ?? []
  assert.deepEqual(stderr.match(/^ {2}.*$/gm), [
    '  createdb --encoding=UTF8 --locale=C --template=template0 ' +
      `--maintenance-db='postgres://ann@bouncer:6432/pets?sslmode=disable' ${fresh}`,
    `  pg_restore --no-owner --single-transaction --dbname='postgres://ann@bouncer:6432/${fresh}?sslmode=disable' ` +
      "'/it'\\''s a dump'",
  ])
})

/** Notes what it is given, and what it finds there. */
const PG_DUMP = `#!${process.execPath}
const { readFileSync, statSync, writeFileSync } = require('node:fs')
const [, file, dbname] = process.argv.slice(2).map((argument) => argument.replace(/^--[a-z]+=/, ''))
const [, address, passfile] = /(.*).passfile=(.*)/.exec(dbname)
const password = readFileSync(decodeURIComponent(passfile), 'utf8')
const rights = statSync(file).mode & 0o777
writeFileSync(__dirname + '/seen', JSON.stringify({ address, password, rights }))
writeFileSync(file, 'dump')
`

test('a dump is its owner’s alone from its first byte, and no command line shows the password', async () => {
  using data = temporaryDirectory()
  writeFileSync(join(data.path, 'pg_dump'), PG_DUMP, { mode: 0o755 })
  for (const [index, [given, address, password]] of [
    ['ann:k%2Fs@db:5433/pets', 'ann@db:5433/pets', 'k/s'],
    ['ann:50%off@db/pets', 'ann@db/pets', '50%off'],
    ['ann:a@b:c@db/pets', 'ann@db/pets', 'a@b\\:c'],
    ['ann@db,two/pets?sslmode=disable&password=s%26e', 'ann@db,two/pets?sslmode=disable', 's&e'],
    ['ann:old@db/pets?p%61ssword=new', 'ann@db/pets', 'new'],
    ['ann:s@db/pets?pgbouncer=true&query_timeout=9&application_name=a', 'ann@db/pets?application_name=a', 's'],
  ].entries()) {
    const file = join(data.path, `dump-${index}`)
    const environment = { DATABASE_URL: `postgres://${given}`, PETSTORE_DATA: data.path, PATH: data.path }
    const { code, stderr } = await runCommand(['backup', file], { environment })
    assert.deepEqual([given, code, stderr], [given, 0, ''])
    const seen: unknown = JSON.parse(readFileSync(join(data.path, 'seen'), 'utf8'))
    assert.deepEqual(seen, { address: `postgres://${address}`, password: `*:*:*:*:${password}\n`, rights: 0o600 })
    assert.equal(statSync(file).mode & 0o777, 0o600)
  }
})
