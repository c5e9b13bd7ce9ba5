import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../../config.ts'
import { addressesOf } from './address.ts'

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
