import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { uploadBody } from '../../src/platform-api/upload-body.ts'
import { HTTP_TIMEOUTS } from '../../src/edge/http-limits.ts'
import { ConnectionGate } from '../../src/edge/connection-gate.ts'
import { listen } from '../../src/edge/http-listener.ts'

const TIMEOUTS = { ...HTTP_TIMEOUTS, headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 }

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0
  const body = request.url === '/upload' ? uploadBody(request) : request
  try {
    for await (const chunk of body) bytes += (chunk as Uint8Array).length
    response.end(`received ${bytes}`)
  } catch {
    // The listener has answered.
  }
}

/** A byte every 60 ms: ten times as long as the listener lets a request take. */
async function sendSlowly(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const closed = once(socket, 'close')
  let answer = ''
  socket
    .setEncoding('utf8')
    .on('data', (text) => (answer += text))
    .on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\nConnection: close\r\n\r\n`)
  for (let sent = 0; sent < 12 && answer === ''; sent++) {
    await wait(60)
    socket.write('x')
  }
  await closed
  return answer
}

test('an upload may take longer than other requests, which are refused in the same time', async () => {
  await using listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    handle: (request, response) => void receive(request, response),
    timeouts: TIMEOUTS,
  })
  const [upload, other] = await Promise.all([sendSlowly(listener.port, '/upload'), sendSlowly(listener.port, '/other')])
  assert.match(upload, /^HTTP\/1\.1 200 [\s\S]*received 12$/)
  assert.match(other, /^HTTP\/1\.1 408 /)
})
