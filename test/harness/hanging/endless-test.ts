import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, mock, test } from 'node:test'
import { watchFile } from '../file-deadline.ts'

// The time passes when the test is under way, however busy the machine is.
mock.timers.enable({ apis: ['setTimeout'] })
watchFile({ testsMaxMs: 60_000, loopMaxMs: 60_000, endMaxMs: 60_000 })

describe('a room', () => {
  test('a test that ends', () => {})

  test('a test that waits for nobody', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    mock.timers.tick(60_000)
    await once(server, 'connection')
  })
})
