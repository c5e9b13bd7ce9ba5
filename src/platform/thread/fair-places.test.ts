import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairPlaces } from './fair-places.ts'

test('places go round among those who wait, and never to more than there are', async () => {
  const places = new FairPlaces(2)
  const begun: string[] = []
  let [taken, most] = [0, 0]
  const work = async (whose: string) => {
    using _place = await places.take(whose)
    begun.push(whose)
    most = Math.max(most, ++taken)
    await Promise.resolve()
    taken--
  }
  await Promise.all(['eve', 'eve', 'eve', 'eve', 'eve', 'ada', 'ada', 'bob'].map(work))
  assert.deepEqual(begun, ['eve', 'eve', 'eve', 'ada', 'bob', 'eve', 'ada', 'eve'])
  assert.equal(most, 2)
})

test('a place is given back once, also by work that failed', async () => {
  const places = new FairPlaces(1)
  const fail = async () => {
    using place = await places.take('eve')
    place[Symbol.dispose]()
    throw new Error('it failed')
  }
  await assert.rejects(fail(), /it failed/)
  const [first, second] = [places.take('ada'), places.take('bob')]
  using place = await first
  assert.equal(await Promise.race([second, Promise.resolve('waits')]), 'waits')
  place[Symbol.dispose]()
  using _other = await second
})
