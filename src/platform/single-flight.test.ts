import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FreshSingleFlight, makeOnce, SingleFlight } from './single-flight.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A database whose answers are the time of asking, given when told to. */
function slowDatabase() {
  const waiting: (() => void)[] = []
  let asked = 0
  return {
    find: () => {
      const answer = ++asked
      return new Promise<number>((resolve) => waiting.push(() => resolve(answer)))
    },
    answerOne: () => waiting.shift()?.(),
    asked: () => asked,
  }
}

test('callers of one moment share one question, and other questions are their own', async () => {
  const shared = new FreshSingleFlight<number>()
  const database = slowDatabase()
  const answers = [shared.ask('a', database.find), shared.ask('a', database.find), shared.ask('b', database.find)]
  await turn()
  await turn()
  assert.equal(database.asked(), 2)
  database.answerOne()
  database.answerOne()
  const [one, same, other] = await Promise.all(answers)
  assert.equal(one, same)
  assert.notEqual(one, other)
})

test('an answer is never older than the call: who comes after a question was sent waits for the next one', async () => {
  const shared = new FreshSingleFlight<number>()
  const database = slowDatabase()
  const early = shared.ask('a', database.find)
  await turn()
  await turn()
  assert.equal(database.asked(), 1)
  const late = [shared.ask('a', database.find), shared.ask('a', database.find)]
  await turn()
  await turn()
  assert.equal(database.asked(), 1, 'one question of a kind at a time')
  database.answerOne()
  assert.equal(await early, 1)
  await turn()
  await turn()
  database.answerOne()
  assert.deepEqual(await Promise.all(late), [2, 2])
})

test('a failure is the answer of those who asked, and of nobody else', async () => {
  const shared = new FreshSingleFlight<number>()
  const broken = () => Promise.reject(new Error('away'))
  const failing = [shared.ask('a', broken), shared.ask('a', broken)]
  for (const answer of failing) await assert.rejects(answer, /away/)
  assert.equal(await shared.ask('a', async () => 7), 7)
})

test('whoever asks while an answer is on its way joins those who wait for it', async () => {
  const flights = new SingleFlight<number>()
  const database = slowDatabase()
  const answers = [flights.join('a', database.find), flights.join('b', database.find)]
  await turn()
  answers.push(flights.join('a', database.find))
  assert.equal(database.asked(), 2)
  assert.equal(flights.size, 2)
  database.answerOne()
  database.answerOne()
  assert.deepEqual(await Promise.all(answers), [1, 2, 1])
  assert.equal(flights.size, 0)
})

test('what was dropped on its way is asked anew, and knows that it is not to be kept', async () => {
  const flights = new SingleFlight<boolean>()
  const database = slowDatabase()
  const find = async (isCurrent: () => boolean) => {
    await database.find()
    return isCurrent()
  }
  const early = flights.join('a', find)
  flights.drop('a')
  const late = flights.join('a', find)
  assert.equal(database.asked(), 2)
  database.answerOne()
  assert.equal(await early, false)
  assert.equal(flights.get('a'), late, 'the end of the first leaves the second alone')
  database.answerOne()
  assert.equal(await late, true)
})

test('a find that throws at once is a rejection, and the next one asks again', async () => {
  const flights = new SingleFlight<number>()
  await assert.rejects(
    flights.join('a', () => {
      throw new Error('at once')
    }),
    /at once/,
  )
  assert.equal(await flights.join('a', async () => 7), 7)
})

test('what is made once is kept for everybody, and what failed is made again for the next', async () => {
  let made = 0
  const get = makeOnce(async () => {
    if (++made === 1) throw new Error('not yet')
    return made
  })
  const early = await Promise.allSettled([get(), get()])
  assert.deepEqual(
    early.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await Promise.all([get(), get()]), [2, 2])
  assert.equal(await get(), 2)
})
