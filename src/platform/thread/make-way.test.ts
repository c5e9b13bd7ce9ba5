import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { makeWay, PIECE_BYTES } from './make-way.ts'

test('of however many large things one piece is worked on in a turn, and of each in its turn', async () => {
  const worked: { thing: string; turn: number }[] = []
  let turn = 0
  let isDone = false
  const count = async () => {
    for (; !isDone; turn++) await nextTurn()
  }
  const work = async (thing: string) => {
    for (let piece = 0; piece < 4; piece++) {
      await makeWay(PIECE_BYTES)
      worked.push({ thing, turn })
    }
  }
  const counting = count()
  await Promise.all(['a', 'b', 'c'].map(work))
  isDone = true
  await counting
  assert.equal(worked.map(({ thing }) => thing).join(''), 'abcabcabcabc')
  assert.equal(new Set(worked.map(({ turn }) => turn)).size, worked.length)
})

test('small things wait for a turn together', async () => {
  let hasTurned = false
  setImmediate(() => (hasTurned = true))
  for (let done = 0; done < PIECE_BYTES / 1024 - 1; done++) await makeWay(1024)
  assert.equal(hasTurned, false)
  await makeWay(1024)
  assert.equal(hasTurned, true)
})
