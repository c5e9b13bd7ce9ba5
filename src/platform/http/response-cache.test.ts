import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from './operation.ts'
import { type Question, questionOf, ResponseCache } from './response-cache.ts'

const answer = (body = '[]'): Answer => ({ status: 200, body })
const mine = (url: string) => questionOf('1 production ', url)
const keep = (cache: ResponseCache, version: number, question: Question, kept: Answer) => {
  while (!cache.keepIfAskedAgain(version, question, kept));
  return kept
}

test('an answer is found while its version stays, by its own question and tenant', () => {
  const cache = new ResponseCache()
  assert.equal(cache.find(1, mine('/pets')), undefined)
  const kept = keep(cache, 1, mine('/pets'), answer())
  assert.equal(cache.find(1, mine('/pets')), kept)
  assert.equal(cache.find(1, mine('/pets?limit=1')), undefined)
  assert.equal(cache.find(1, questionOf('2 production ', '/pets')), undefined)
  assert.equal(cache.find(2, mine('/pets')), undefined)
})

test('questions with the same hash get their own answers', () => {
  // Found by trying.
  const [one, other] = [mine('/pets/635669'), mine('/pets/1076122')]
  assert.equal(one.hash, other.hash)
  const cache = new ResponseCache()
  keep(cache, 1, one, answer('one'))
  assert.equal(cache.find(1, other), undefined)
  keep(cache, 1, other, answer('other'))
  assert.equal(cache.find(1, other)?.body, 'other')
  assert.equal(cache.find(1, one), undefined)
})

test('what is asked for once is not kept', () => {
  const cache = new ResponseCache()
  assert.equal(cache.keepIfAskedAgain(1, mine('/pets'), answer()), false)
  assert.deepEqual([cache.find(1, mine('/pets')), cache.bytes], [undefined, 0])
})

test('what changes before it is asked for again is not kept, unless it was asked for again before', () => {
  const cache = new ResponseCache()
  const asked = (version: number) => cache.keepIfAskedAgain(version, mine('/pets'), answer())
  assert.deepEqual([asked(1), asked(2), asked(3), cache.bytes], [false, false, false, 0])
  assert.deepEqual([asked(3), asked(4), asked(5)], [true, true, false])
  assert.deepEqual([asked(5), asked(6)], [true, true])
  assert.notEqual(cache.find(6, mine('/pets')), undefined)
  assert.equal(asked(7), true)
})

test('of two questions for each version the second is answered with what was kept', () => {
  const cache = new ResponseCache()
  const isKept = (version: number) => {
    if (cache.find(version, mine('/pets'))) return true
    cache.keepIfAskedAgain(version, mine('/pets'), answer())
    return false
  }
  const found = [1, 1, 2, 2, 3, 3].map(isKept)
  assert.deepEqual(found, [false, false, false, true, false, true])
})

test('another version of one answer leaves the others as they are', () => {
  const cache = new ResponseCache()
  const [first, second] = [keep(cache, 1, mine('/1'), answer()), keep(cache, 7, mine('/2'), answer())]
  assert.equal(cache.find(2, mine('/1')), undefined)
  assert.equal(cache.find(7, mine('/2')), second)
  const newer = keep(cache, 2, mine('/1'), answer())
  assert.notEqual(newer, first)
  assert.equal(cache.find(2, mine('/1')), newer)
})

test('no amount of questions grows it beyond its bound', () => {
  const cache = new ResponseCache(30_000)
  let found = 0
  for (let count = 0; count < 1000; count++) {
    keep(cache, 1, mine(`/pets/${count}`), answer('x'.repeat(500)))
    assert.ok(cache.bytes > 0 && cache.bytes <= 30_000, String(cache.bytes))
  }
  for (let count = 0; count < 1000; count++) if (cache.find(1, mine(`/pets/${count}`))) found++
  assert.ok(found > 0 && found < 20, String(found))
})

test('answers that become longer do not grow it beyond its bound', () => {
  const cache = new ResponseCache(30_000)
  for (const [version, body] of ['[]', 'x'.repeat(1000)].entries()) {
    for (let count = 0; count < 20; count++) {
      keep(cache, version, mine(`/pets/${count}`), answer(body))
      assert.ok(cache.find(version, mine(`/pets/${count}`)))
      assert.ok(cache.bytes > 0 && cache.bytes <= 30_000, String(cache.bytes))
    }
  }
})

test('what is asked for again stays, however much is asked besides', () => {
  const cache = new ResponseCache(30_000)
  const kept = keep(cache, 1, mine('/pets'), answer())
  for (let count = 0; count < 1000; count++) {
    keep(cache, 1, mine(`/pets/${count}`), answer('x'.repeat(500)))
    assert.equal(cache.find(1, mine('/pets')), kept)
  }
})
