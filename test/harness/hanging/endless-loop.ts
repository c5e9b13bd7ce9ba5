import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { watchFile } from '../file-deadline.ts'

watchFile({ testsMaxMs: 60_000, loopMaxMs: 5000, endMaxMs: 60_000 })

test('a test that turns in a circle', async () => {
  await turn()
  // For its thread as good as a loop, without its five seconds of a processor.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
