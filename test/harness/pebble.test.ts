import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPebble } from './pebble.ts'
import { until } from './until.ts'

test('a pebble that does not start leaves nothing open', async () => {
  const notBase64 = { kid: '!' }
  await assert.rejects(startPebble({ httpPort: 1, tlsPort: 1, externalAccounts: notBase64 }), /pebble ended/)
  // What is closed goes with the next turn of the loop.
  const open = () => process.getActiveResourcesInfo().filter((kind) => /UDP|TCP|Process/.test(kind))
  await until('nothing is open', () => open().length === 0)
})
