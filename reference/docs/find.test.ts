import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchIndex } from '../../src/pages/docs/search-index.ts'
import { renderPages } from '../../src/pages/docs/site.ts'
import { findParts } from './find.js'

const index = searchIndex(await renderPages())
const found = (query: string) => findParts(index, query).map(([href]) => href)

test('the search finds a part of a page by its words, and by how they begin', () => {
  for (const [query, href] of [
    ['precondition_failed', '/docs/errors/precondition_failed'],
    ['domains verify', '/docs/reference/commands#petstore-domains-verify'],
    ['pgbouncer', '/docs/scaling#pgbouncer'],
    ['sunset', '/docs/versioning#deprecation'],
    ['PETSTORE_MASTER', '/docs/operating#running'],
  ] as const) {
    assert.ok(found(query).includes(href), `${query}: ${found(query).join(' ')}`)
  }
})

test('a heading counts for more than a word in the text, and all words must be there', () => {
  assert.equal(found('quick start')[0], '/docs/quick-start')
  assert.deepEqual(found('quick zzzz'), [])
  assert.deepEqual(found('  '), [])
})
