import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { watchFile } from '../file-deadline.ts'

watchFile({ testsMaxMs: 60_000, loopMaxMs: 60_000, endMaxMs: 200 })

test('a test that forgets its socket', async () => {
  await once(createSocket('udp4').bind(0, '127.0.0.1'), 'listening')
})
