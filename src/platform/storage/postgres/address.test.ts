import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { ConfigError, readConfig } from '../../../config.ts'
import { addressesOf } from './address.ts'
import { serversOf } from './servers.ts'

test('an address names one host or several, and settings behind them', () => {
  const hostsOf = (text: string) => addressesOf(text)?.map(({ host }) => host)
  assert.deepEqual(hostsOf('postgres://ann:k%2Fs@one,two:5433/pets?sslmode=require'), ['one', 'two:5433'])
  assert.deepEqual(hostsOf('postgresql://ann:50%off@one'), ['one'])
  assert.deepEqual(hostsOf('postgres://ann:a@b@one/pets?password=c@d'), ['one'])
  assert.deepEqual(hostsOf('postgres:///pets?host=/var/run/postgresql'), ['localhost'])
  assert.deepEqual(hostsOf('postgres://%2Fvar%2Frun%2Fpostgresql/pets'), ['%2Fvar%2Frun%2Fpostgresql'])
})

test('a password that ends the address before its time is refused with how to write it, and not shown', () => {
  for (const password of ['k3J/9sQ', '123/9sQ', 'k3J#9sQ', '123#9sQ', 'k3J?9sQ', '123?9sQ', '9sQ%ff', 'a/9sQ@b']) {
    assert.throws(
      () => readConfig({ DATABASE_URL: `postgres://petstore:${password}@database/petstore` }),
      (error) =>
        error instanceof ConfigError &&
        /^DATABASE_URL must be .* In a password .* are written %2F/.test(error.message) &&
        !error.message.includes('9sQ'),
      password,
    )
  }
})

test('a limit of time that is none, and a pooler that may be one, are refused', () => {
  const read = (parameters: string) => readConfig({ DATABASE_URL: `postgres://ann:s3cret@one,two/pets?${parameters}` })
  for (const parameters of ['query_timeout=abc', 'query_timeout=', 'query_timeout=0', 'query_timeout=99999999999']) {
    assert.throws(() => read(parameters), /query_timeout of DATABASE_URL is "\w*", but must be milliseconds/)
  }
  assert.throws(() => read('pgbouncer=yes'), /pgbouncer of DATABASE_URL is "yes", but must be one of: true, false\.$/)
  assert.ok(read('pgbouncer=true&query_timeout=15000').databaseUrl)
})

test('no name in an address hides a service from commands that ask whether one is running', () => {
  const [server] = serversOf('postgres://ann@one/pets?application_name=shop&sslmode=disable').list
  const client = new pg.Client(server) as pg.Client & { connectionParameters: { application_name?: string } }
  assert.equal(client.connectionParameters.application_name, 'petstore')
})
