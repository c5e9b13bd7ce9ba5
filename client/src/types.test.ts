import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { clientTypes } from '../../scripts/client-types.ts'

test('the types are those of openapi.json', () => {
  assert.equal(readFileSync(new URL('./types.ts', import.meta.url), 'utf8'), clientTypes())
})
