import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UploadGate } from './upload-gate.ts'

const MEGABYTE = 1_000_000

/** Uploads that end when they are told to. */
function openUploads(gate: UploadGate) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const begin = (projectId: number, announcedBytes: number, keptBytes = 0, accountId = `owner of ${projectId}`) =>
    gate.run({ projectId, accountId, announcedBytes }, async (keep) => {
      keep(keptBytes)
      await ended
    })
  return { begin, end }
}

test('uploads of one project that take their time leave the places of all others alone', async () => {
  const gate = new UploadGate()
  const { begin, end } = openUploads(gate)
  const dribbling = [1, 2, 3].map(() => begin(1, 25 * MEGABYTE, 1))
  await assert.rejects(begin(1, 25 * MEGABYTE), {
    code: 'rate_limited',
    message: /^3 uploads of this project fill its share\. Nothing was changed/,
  })
  const others = [2, 3, 4, 5, 6].map((project) => begin(project, 25 * MEGABYTE, 1))
  end()
  await Promise.all([...dribbling, ...others])
  await begin(1, 25 * MEGABYTE)
})

test('uploads of one account to many projects leave places and memory to all others', async () => {
  const gate = new UploadGate()
  const { begin, end } = openUploads(gate)
  const parked = [1, 1, 2].map((project) => begin(project, 25 * MEGABYTE, 25 * MEGABYTE, 'eve'))
  await assert.rejects(begin(2, 25 * MEGABYTE, 0, 'eve'), {
    code: 'rate_limited',
    message: /^3 uploads of this account/,
  })
  const archives = Array.from({ length: 29 }, (_, at) => begin(10 + Math.floor(at / 10), 0, 0, 'eve'))
  await assert.rejects(begin(20, 0, 0, 'eve'), { code: 'rate_limited', message: /^32 uploads of this account/ })
  const others = [3, 4].map((project) => begin(project, 25 * MEGABYTE, 25 * MEGABYTE))
  others.push(...Array.from({ length: 8 }, (_, at) => begin(30 + at, 0)))
  end()
  await Promise.all([...parked, ...archives, ...others])
  await begin(2, 25 * MEGABYTE, 25 * MEGABYTE, 'eve')
})

test('many small uploads of one project fill its share too', async () => {
  const gate = new UploadGate()
  const { begin, end } = openUploads(gate)
  const under = Array.from({ length: 12 }, () => begin(1, 10))
  await assert.rejects(begin(1, 10), { code: 'rate_limited' })
  end()
  await Promise.all(under)
})

test('what has arrived is bounded over all projects, and given back when an upload ends', async () => {
  const gate = new UploadGate()
  const { begin, end } = openUploads(gate)
  const under = [1, 2, 3, 4].map((project) => begin(project, 25 * MEGABYTE, 25 * MEGABYTE))
  await assert.rejects(begin(4, 25 * MEGABYTE, 1), { code: 'unavailable' }, 'who has much already')
  under.push(...[5, 6].map((project) => begin(project, 25 * MEGABYTE, 25 * MEGABYTE)))
  await assert.rejects(begin(7, 25 * MEGABYTE, 1), { code: 'unavailable' })
  end()
  await Promise.all(under)
  await begin(7, 25 * MEGABYTE, 25 * MEGABYTE)
})
