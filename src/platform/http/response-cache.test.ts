import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from './operation.ts'
import { ResponseCache } from './response-cache.ts'

const answer = (body = '[]'): Answer => ({ status: 200, body })

test('an answer is found while the version stays, and by no other question', () => {
  const ready = new ResponseCache<string>()
  assert.equal(ready.find(1, '/pets'), undefined)
  const kept = answer()
  ready.keep(1, '/pets', 'listPets', kept)
  assert.equal(ready.find(1, '/pets')?.answer, kept)
  assert.equal(ready.find(1, '/pets?limit=1'), undefined)
  assert.equal(ready.find(2, '/pets'), undefined)
  assert.equal(ready.find(1, '/pets'), undefined, 'a version that comes back brings nothing back')
})

test('an answer to a question that was asked before a commit is not kept for after it', () => {
  const ready = new ResponseCache<string>()
  ready.find(1, '/pets')
  ready.find(2, '/other')
  ready.keep(1, '/pets', 'listPets', answer('[stale]'))
  assert.equal(ready.find(2, '/pets'), undefined)
})

test('no amount of questions grows it beyond its bound', () => {
  const ready = new ResponseCache<string>(10_000)
  ready.find(1, '')
  let found = 0
  for (let count = 0; count < 1000; count++) ready.keep(1, `/pets/${count}`, 'getPet', answer('x'.repeat(500)))
  for (let count = 0; count < 1000; count++) if (ready.find(1, `/pets/${count}`)) found++
  assert.ok(found > 0 && found < 20, String(found))
})
