import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { isMainThread, threadId } from 'node:worker_threads'
import type { TrialRequest } from '../../../test/harness/trial-thread.ts'
import { Thread, type ThreadNeeds } from './thread.ts'

const needsOf = (errors: unknown[]): ThreadNeeds => ({
  module: new URL('../../../test/harness/trial-thread.ts', import.meta.url),
  purpose: 'trials',
  pendingMax: 3,
  timeoutMs: 60_000,
  heapMegabytes: 32,
  onError: (error) => errors.push(error),
})

const openThread = (errors: unknown[], needs = needsOf(errors)) => new Thread<TrialRequest, number>(needs)

test('work runs on a thread of its own, which the first request starts', async () => {
  const errors: unknown[] = []
  await using thread = openThread(errors)
  const [first, second] = await Promise.all([thread.run('who'), thread.run('who')])
  assert.ok(isMainThread)
  assert.notEqual(first, threadId)
  assert.equal(second, first)
  await assert.rejects(thread.run('throw'), /it was told to/)
  assert.equal(await thread.run('who'), first, 'what fails ends nothing else')
  assert.deepEqual(errors, [])
})

test('a thread that dies fails what it was at, and the next request starts another one', async () => {
  const errors: unknown[] = []
  await using thread = openThread(errors)
  const first = await thread.run('who')
  const waiting = thread.run('wait')
  const dying = thread.run('die')
  await assert.rejects(waiting, { code: 'unavailable', message: /trials under way were lost/ })
  await assert.rejects(dying, { code: 'unavailable' })
  assert.notEqual(await thread.run('who'), first)
  assert.equal(errors.length, 1)
})

test('a thread that hangs is ended, and the next request starts another one', async () => {
  const errors: unknown[] = []
  const needs = needsOf(errors)
  await using thread = openThread(errors, needs)
  const first = await thread.run('who')
  // For this request alone: to start a thread takes what it takes.
  needs.timeoutMs = 200
  const hanging = thread.run('hang')
  needs.timeoutMs = 60_000
  await assert.rejects(hanging, { code: 'unavailable' })
  assert.notEqual(await thread.run('who'), first)
})

test('who stood still themselves longer than a thread has time for gets its answer', async () => {
  const errors: unknown[] = []
  const needs = needsOf(errors)
  await using thread = openThread(errors, needs)
  const first = await thread.run('who')
  needs.timeoutMs = 1000
  // Timers come next then, and messages behind them.
  await turn()
  const answered = thread.run('who')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
  assert.equal(await answered, first)
  assert.deepEqual(errors, [])
})

test('no more waits than there is room for, and closing ends what waits', async () => {
  const errors: unknown[] = []
  const thread = openThread(errors)
  const waiting = [1, 2, 3].map(() => thread.run('wait'))
  await assert.rejects(thread.run('who'), { code: 'unavailable', message: /no room for more trials/ })
  const ended = Promise.all(waiting.map((one) => assert.rejects(one, { code: 'unavailable' })))
  await thread[Symbol.asyncDispose]()
  await ended
  await assert.rejects(thread.run('who'), { code: 'unavailable' })
})
