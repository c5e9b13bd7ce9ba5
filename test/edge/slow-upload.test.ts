import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
import { uploadBody } from '../../src/platform-api/upload-body.ts'
import { HTTP_TIMEOUTS } from '../../src/edge/http-limits.ts'
import { ConnectionGate } from '../../src/edge/connection-gate.ts'
import { listen } from '../../src/edge/http-listener.ts'

/** Nothing is too late until both requests are under way. */
const TIMEOUTS = { ...HTTP_TIMEOUTS, headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 50 }
const HEAD = 'HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\nConnection: close\r\n\r\n'

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

function begin(port: number, path: string) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket
    .setEncoding('utf8')
    .on('data', (text) => (answer += text))
    .on('error', () => {})
  socket.write(`POST ${path} ${HEAD}x`)
  return { socket, answered: once(socket, 'close').then(() => answer) }
}

test('an upload may take longer than other requests, which are refused in the same time', async () => {
  let underWay = 0
  await using listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    handle(request, response) {
      void receive(request, response)
      const { server } = request.socket as Socket & { server: Server }
      if (++underWay === 2) server.requestTimeout = 1
    },
    timeouts: TIMEOUTS,
  })
  const upload = begin(listener.port, '/upload')
  const other = begin(listener.port, '/other')
  assert.match(await other.answered, /^HTTP\/1\.1 408 /)
  upload.socket.write('x'.repeat(11))
  assert.match(await upload.answered, /^HTTP\/1\.1 200 [\s\S]*received 12$/)
})

const DRIBBLE_EVERY_MS = 20

/** Why an upload ends that begins like this and goes on byte by byte, and after how many of them. */
async function dribble(beginning: string): Promise<{ error: unknown; drops: number }> {
  const pace = { silenceMaxMs: 60_000, bytesPerSecondMin: 100_000, spanMs: 50 }
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  await using listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    async handle(request) {
      const read = async () => {
        for await (const _ of uploadBody(request, pace));
      }
      resolve(await read().catch((error: unknown) => error))
      request.socket.destroy()
    },
    timeouts: TIMEOUTS,
  })
  const socket = connect(listener.port, '127.0.0.1').on('error', () => {})
  socket.write(`POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n${beginning}`)
  let drops = 0
  const dribbling = setInterval(() => socket.write('x', () => drops++), DRIBBLE_EVERY_MS)
  const error = await ended
  clearInterval(dribbling)
  socket.destroy()
  return { error, drops }
}

test('an upload that dribbles to keep its place loses it, however little it waits between two bytes', async () => {
  const { error } = await dribble('x')
  assert.match(String(error), /arrives too slowly: at least 100 kB a second/)
})

test('an upload of which most has come fast keeps its place no longer than others when it dribbles', async () => {
  const { error, drops } = await dribble('x'.repeat(8_000_000))
  assert.match(String(error), /arrives too slowly/)
  // In bytes and not by a clock, which goes on where this process stands still.
  const dropsOfPace = 80_000 / DRIBBLE_EVERY_MS
  assert.ok(drops < dropsOfPace / 2, `${drops}: what it has sent is 80 seconds at the least pace`)
})

test('whoever reads an upload may take longer than its sender may be silent', async () => {
  const pace = { silenceMaxMs: 50, bytesPerSecondMin: 0, spanMs: 60_000 }
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  await using listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    async handle(request) {
      const read = async () => {
        for await (const _ of uploadBody(request, pace)) await wait(2 * pace.silenceMaxMs)
        return 'all of it'
      }
      resolve(await read().catch((error: unknown) => error))
      request.socket.destroy()
    },
    timeouts: TIMEOUTS,
  })
  // In one packet, so that nothing has to arrive behind what is read.
  const socket = connect(listener.port, '127.0.0.1').on('error', () => {})
  socket.write(`POST /upload ${HEAD}${'x'.repeat(12)}`)
  assert.equal(await ended, 'all of it')
})

test('what has arrived of an upload takes no memory any more when the next is asked for', async () => {
  const { promise: left, resolve } = Promise.withResolvers<number>()
  await using listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    async handle(request, response) {
      const chunks: Uint8Array[] = []
      for await (const chunk of uploadBody(request)) chunks.push(chunk)
      resolve(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
      response.end()
    },
    timeouts: TIMEOUTS,
  })
  const body = Buffer.alloc(1_000_000)
  const response = await fetch(`http://127.0.0.1:${listener.port}/upload`, { method: 'PUT', body })
  assert.equal(response.status, 200)
  // Very small ones share their memory with others, and stay.
  assert.ok((await left) < body.length / 10, `${await left} bytes are left`)
})
