import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from './operation.ts'
import { ResponseCache } from './response-cache.ts'

const answer = (body = '[]'): Answer => ({ status: 200, body })

test('an answer is found while its version stays, and by no other question', () => {
  const cache = new ResponseCache()
  assert.equal(cache.find(1, '/pets'), undefined)
  const kept = answer()
  cache.keep(1, '/pets', kept)
  assert.equal(cache.find(1, '/pets'), kept)
  assert.equal(cache.find(1, '/pets?limit=1'), undefined)
  assert.equal(cache.find(2, '/pets'), undefined)
})

test('another version of one answer leaves the others as they are', () => {
  const cache = new ResponseCache()
  const [mine, yours] = [cache.keep(1, 'mine', answer()), cache.keep(7, 'yours', answer())]
  assert.equal(cache.find(2, 'mine'), undefined)
  assert.equal(cache.find(7, 'yours'), yours)
  const newer = cache.keep(2, 'mine', answer())
  assert.notEqual(newer, mine)
  assert.equal(cache.find(2, 'mine'), newer)
})

test('no amount of questions grows it beyond its bound', () => {
  const cache = new ResponseCache(30_000)
  let found = 0
  for (let count = 0; count < 1000; count++) {
    cache.keep(1, `/pets/${count}`, answer('x'.repeat(500)))
    assert.ok(cache.bytes > 0 && cache.bytes <= 30_000, String(cache.bytes))
  }
  for (let count = 0; count < 1000; count++) if (cache.find(1, `/pets/${count}`)) found++
  assert.ok(found > 0 && found < 20, String(found))
})

test('what is asked for again stays, however much is asked once', () => {
  const cache = new ResponseCache(30_000)
  const kept = cache.keep(1, '/pets', answer())
  for (let count = 0; count < 1000; count++) {
    cache.keep(1, `/pets/${count}`, answer('x'.repeat(500)))
    assert.equal(cache.find(1, '/pets'), kept)
  }
})
