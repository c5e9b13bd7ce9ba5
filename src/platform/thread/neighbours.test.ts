import assert from 'node:assert/strict'
import { test } from 'node:test'

test('kysely is loaded as one module, with all that its many export', async () => {
  const joined = new URL(import.meta.resolve('kysely'))
  assert.match(joined.pathname, /\/kysely\/dist\/joined\.js$/)
  const byNode = new URL('index.js', joined)
  assert.deepEqual(Object.keys(await import('kysely')), Object.keys(await import(byNode.href)))
})
