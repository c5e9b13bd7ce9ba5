import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { switchProtocols } from '../../../../test/harness/switch-protocols.ts'
import { whenUnanswered } from './unanswered.ts'

test('an answer that switches protocols is told as an error, and its connection is closed', async () => {
  await using server = await startServer(switchProtocols)
  assert.equal(await outcomeOf(server.port), 'answered 101 Switching Protocols')
  await server.connectionsClosed()
})

test('a connection that closes without an answer is told as an error', async () => {
  await using server = await startServer((response) => response.socket?.destroy())
  assert.equal(await outcomeOf(server.port), 'socket hang up')
})

test('an answer whose body ends with its connection is read to its end', async () => {
  await using server = await startServer((response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'x'.repeat(100_000)}`)
  })
  assert.equal(await outcomeOf(server.port), '200 with 100000 bytes')
})

function outcomeOf(port: number): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest({ port, host: '127.0.0.1', agent: false })
    whenUnanswered(request, (error) => resolve(error.message))
    request.on('response', (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length))
      response.on('end', () => resolve(`${response.statusCode} with ${bytes} bytes`))
    })
    request.end()
  })
}

async function startServer(respond: (response: ServerResponse) => unknown) {
  const closed: Promise<unknown>[] = []
  const server = createServer((_, response) => void respond(response)).listen(0, '127.0.0.1')
  server.on('connection', (socket) => closed.push(once(socket, 'close')))
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connectionsClosed: () => Promise.all(closed),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
