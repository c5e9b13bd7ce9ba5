import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../platform/clock.ts'
import { LookupCache } from './lookup-cache.ts'

function scripted(answer: (key: string) => Promise<string>, entriesMax = 10) {
  const clock = new ManualClock(0)
  const asked: string[] = []
  const look = (key: string) => {
    asked.push(key)
    return answer(key)
  }
  return { clock, asked, cache: new LookupCache({ look, clock, entriesMax, lifeMs: 1000 }) }
}

test('many who ask for the same key at once cause one look-up, and later ones none', async () => {
  const { cache, asked } = scripted(async (key) => key.toUpperCase())
  assert.deepEqual(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]), ['A', 'A', 'A'])
  assert.equal(cache.get('a'), 'A')
  assert.deepEqual(asked, ['a'])
})

test('what is dropped while it is being looked up is not kept', async () => {
  const first = Promise.withResolvers<string>()
  const answers = [first.promise, Promise.resolve('new')]
  const { cache } = scripted(() => answers.shift() as Promise<string>)
  const asking = cache.get('a')
  cache.drop('a')
  assert.equal(await cache.get('a'), 'new')
  first.resolve('old')
  assert.equal(await asking, 'old')
  assert.equal(cache.get('a'), 'new')
})

test('an old answer is given while a new one is looked up, and goes on while there is none to be had', async () => {
  let isAway = false
  let version = 0
  const { cache, clock } = scripted(async () => {
    if (isAway) throw new Error('the database is away')
    return `version ${++version}`
  })
  await cache.get('a')
  clock.advance(1000)
  assert.equal(cache.get('a'), 'version 1')
  await new Promise(setImmediate)
  assert.equal(cache.get('a'), 'version 2')
  isAway = true
  clock.advance(1000)
  assert.equal(cache.get('a'), 'version 2')
  await new Promise(setImmediate)
  assert.equal(cache.get('a'), 'version 2')
  await assert.rejects(Promise.resolve(cache.get('unknown')), /away/)
})

test('strangers cannot grow it', async () => {
  const { cache, asked } = scripted(async (key) => key, 3)
  for (const key of ['a', 'b', 'c', 'd']) await cache.get(key)
  await cache.get('a')
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'a'])
})
