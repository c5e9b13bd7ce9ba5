import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { until } from '../../../test/harness/until.ts'
import { type Clock, MINUTE_MS, systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { Workers } from './workers.ts'

/** A thread that serves nothing, and otherwise does as a worker does. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads')
  parentPort.on('message', ({ kind, id }) => {
    if (kind === 'stop') parentPort.close()
    if (kind === 'ask') parentPort.postMessage({ kind: 'answer', id })
    if (kind === 'lead') parentPort.postMessage({ kind: 'leads' })
    if (kind === 'dashboard') parentPort.postMessage({ kind: 'informed' })
  })
  parentPort.postMessage({ kind: 'serving', greeting: 'Hello from ' + workerData })`
const FAILING_SCRIPT = `
  require('node:worker_threads').parentPort.postMessage({ kind: 'failed', sentence: 'There is no room.' })`
/** It runs, and serves when it is told to; by then that has been said. */
const STARTING_SCRIPT = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ said }) => {
    parentPort.postMessage({ kind: 'serving', greeting: 'At last' })
    Atomics.store(said, 0, 1)
    Atomics.notify(said, 0)
  })
  parentPort.postMessage({ kind: 'informed' })`

function scripted({ clock = systemClock, scriptOf = () => SCRIPT }: ScriptedOptions = {}) {
  /** The numbers of those that were told to lead, or of the dashboard, and the newest threads by their number. */
  const leads: number[] = []
  const threads: Worker[] = []
  const informed: number[] = []
  const spawn = (number: number) => {
    const thread = new Worker(scriptOf(number), { eval: true, workerData: number })
    thread.on('message', ({ kind }: { kind: string }) => kind === 'leads' && leads.push(number))
    thread.on('message', ({ kind }: { kind: string }) => kind === 'informed' && informed.push(number))
    threads[number] = thread
    return thread
  }
  return { workers: new Workers({ count: 2, clock, log: createLog('silent'), spawn }), threads, leads, informed }
}

interface ScriptedOptions {
  clock?: Clock
  scriptOf?: (number: number) => string
}

test('the first worker leads, and another takes over when it dies', async () => {
  const { workers, threads, leads } = scripted()
  assert.equal(await workers.start(), 'Hello from 1')
  await until('it leads', () => leads.length === 1)
  await threads[1]?.terminate()
  await until('another leads', () => leads.length === 2)
  await until('the dead one is replaced', () => workers.serving.length === 2)
  assert.equal(await workers.stop(), 'in order')
  assert.deepEqual(leads, [1, 2])
})

test('whoever takes the place of a dead worker is told what all were told', async () => {
  const { workers, threads, informed } = scripted()
  await workers.start()
  workers.tellAll({ kind: 'dashboard', outcome: { kind: 'failed', reason: 'No room.', output: '' } })
  await until('both know', () => informed.length === 2)
  await threads[2]?.terminate()
  await until('the next one knows too', () => informed.length === 3)
  await workers.stop()
  assert.equal(informed[2], 2)
})

test('a worker that dies soon, again and again, is replaced after growing pauses', async () => {
  const pauses: number[] = []
  let now = 0
  const clock = { now: () => now, sleep: async (delayMs: number) => void pauses.push(delayMs) }
  const { workers, threads } = scripted({ clock })
  await workers.start()
  const die = async () => {
    const { replaced } = workers
    await threads[2]?.terminate()
    await until('it is replaced', () => workers.replaced > replaced && workers.serving.length === 2)
  }
  for (let deaths = 0; deaths < 11; deaths++) await die()
  assert.deepEqual(pauses, [0, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  now += MINUTE_MS
  await die()
  assert.equal(pauses.at(-1), 0, 'it had served for a minute')
  await workers.stop()
})

test('a start fails with the sentence of the worker that cannot start', async () => {
  const { workers } = scripted({ scriptOf: (number) => (number === 2 ? FAILING_SCRIPT : SCRIPT) })
  await assert.rejects(workers.start(), { message: 'There is no room.' })
  assert.equal(await workers.stop(), 'in order')
})

for (const serves of [false, true]) {
  const when = serves ? 'says that it serves' : 'starts'
  test(`a stop while whoever takes the place of a dead worker ${when} is in order`, async () => {
    let spawned = 0
    const { workers, threads, informed } = scripted({ scriptOf: () => (++spawned > 2 ? STARTING_SCRIPT : SCRIPT) })
    await workers.start()
    // Both, so that a stop asks nobody first, in whose turn that would be read.
    await Promise.all(threads.map((thread) => thread.terminate()))
    await until('the next ones run', () => informed.length === 2)
    if (serves) {
      const said = new Int32Array(new SharedArrayBuffer(4))
      threads[2]?.postMessage({ said })
      // This thread stands still, so that it has not read that yet.
      Atomics.wait(said, 0, 0)
    }
    assert.equal(await workers.stop(), 'in order')
  })
}
