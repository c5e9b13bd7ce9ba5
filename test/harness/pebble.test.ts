import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPebble } from './pebble.ts'

test('a pebble that does not start leaves nothing open', async () => {
  const notBase64 = { kid: '!' }
  await assert.rejects(startPebble({ httpPort: 1, tlsPort: 1, externalAccounts: notBase64 }), /pebble ended/)
  assert.deepEqual(
    process.getActiveResourcesInfo().filter((kind) => /UDP|TCP|Process/.test(kind)),
    [],
  )
})
