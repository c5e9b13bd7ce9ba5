import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { DAY_MS, patience, systemClock } from './clock.ts'

/** Nothing of this thread runs meanwhile. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('who waits longer than they stood still is not out of time, and ends all the same', async () => {
  using waiting = patience(1000)
  standStill(1200)
  await turn()
  assert.equal(waiting.signal.aborted, false)
  await once(waiting.signal, 'abort')
})

/** Writes a letter for every message, and tells behind it. */
const WRITER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:net').createServer((socket) => {
    const tell = () => (Atomics.add(workerData, 0, 1), Atomics.notify(workerData, 0))
    parentPort.on('message', () => socket.write('x', tell))
    parentPort.postMessage('connected')
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('what had come by the end is read before the end is told', async () => {
  const written = new Int32Array(new SharedArrayBuffer(4))
  await using writer = new Worker(WRITER, { eval: true, workerData: written })
  const [port] = await once(writer, 'message')
  const socket = connect(port, '127.0.0.1')
  await once(writer, 'message')
  let read = 0
  socket.on('data', (letters) => (read += letters.length))
  using waiting = patience(100)
  let readAtEnd: number | undefined
  waiting.signal.addEventListener('abort', () => (readAtEnd = read))
  let asked = 0
  while (readAtEnd === undefined) {
    writer.postMessage('')
    // Nothing is read meanwhile, and a part of the wait is over.
    Atomics.wait(written, 0, asked++)
    standStill(11)
    await once(socket, 'data')
    // Behind the end, where it is told in this turn: the next letter would come after it.
    await turn()
  }
  socket.destroy()
  assert.equal(readAtEnd, asked)
})

test('a wait that was given up ends nothing', async () => {
  const waiting = patience(10)
  waiting[Symbol.dispose]()
  using other = patience(20)
  await once(other.signal, 'abort')
  assert.equal(waiting.signal.aborted, false)
})

test('a sleep of more days than a timer can count is no short one', async () => {
  const end = new AbortController()
  let isAwake = false
  const slept = systemClock.sleep(25 * DAY_MS, end.signal).then(() => (isAwake = true))
  using other = patience(20)
  await once(other.signal, 'abort')
  assert.equal(isAwake, false)
  end.abort()
  await slept
})
