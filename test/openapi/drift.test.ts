import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OPENAPI_FILE, publishedDocument } from '../../scripts/openapi.ts'

test('openapi.json is what the code says', () => {
  assert.equal(readFileSync(OPENAPI_FILE, 'utf8'), publishedDocument(), 'write it anew with: npm run openapi')
})
