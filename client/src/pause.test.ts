import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { patience } from './pause.ts'

/** Nothing of this process runs meanwhile, as in a computer that sleeps. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a stall of our own is no silence of the service, and a wait ends all the same', async () => {
  const waiting = patience(1000)
  standStill(1200)
  await turn()
  assert.equal(waiting.signal.aborted, false)
  await once(waiting.signal, 'abort')
  assert.equal(waiting.signal.reason.name, 'TimeoutError')
})

test('a wait without an end has none, and a timer takes it', async () => {
  const [patient, moment] = [patience(Infinity), patience(20)]
  await once(moment.signal, 'abort')
  assert.equal(patient.signal.aborted, false)
  patient.end()
})

test('a wait that was ended ends nothing', async () => {
  const waiting = patience(10)
  waiting.end()
  const other = patience(20)
  await once(other.signal, 'abort')
  assert.equal(waiting.signal.aborted, false)
})
