import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from './operation.ts'
import { ResponseCache } from './response-cache.ts'

const answer = (body = '[]'): Answer => ({ status: 200, body })

test('an answer is found while the version stays, and by no other question', () => {
  const cache = new ResponseCache()
  assert.equal(cache.find(1, '/pets'), undefined)
  const kept = answer()
  cache.keep(1, '/pets', kept)
  assert.equal(cache.find(1, '/pets'), kept)
  assert.equal(cache.find(1, '/pets?limit=1'), undefined)
  assert.equal(cache.find(2, '/pets'), undefined)
  assert.equal(cache.find(1, '/pets'), undefined, 'a version that comes back brings nothing back')
})

test('an answer to a question that was asked before a commit is not kept for after it', () => {
  const cache = new ResponseCache()
  cache.find(1, '/pets')
  cache.find(2, '/other')
  cache.keep(1, '/pets', answer('[stale]'))
  assert.equal(cache.find(2, '/pets'), undefined)
})

test('no amount of questions grows it beyond its bound', () => {
  const cache = new ResponseCache(10_000)
  cache.find(1, '')
  let found = 0
  for (let count = 0; count < 1000; count++) cache.keep(1, `/pets/${count}`, answer('x'.repeat(500)))
  for (let count = 0; count < 1000; count++) if (cache.find(1, `/pets/${count}`)) found++
  assert.ok(found > 0 && found < 20, String(found))
})
