import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type OutgoingHttpHeaders,
  type Settings,
} from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { before, test } from 'node:test'
import { createInternalCa, createRoot } from '../../features/certificates/authority/internal-ca.ts'
import { systemClock } from '../../platform/clock.ts'
import { ConnectionGate } from '../connection-gate.ts'
import { SLICE_BYTES } from '../site/blob-cache.ts'
import type { HostCertificate } from './context-cache.ts'
import { H2_OPTIONS, H2_WRITE_BYTES } from './h2-limits.ts'
import {
  askHttp1,
  clientHello,
  echoHost,
  handshake,
  sendRaw,
  startEdge,
  statusOf,
  type TestEdge,
} from '../../../test/edge/tls-fixture.ts'
import type { TlsNeeds } from './listener.ts'

let certificate: HostCertificate
before(async () => {
  const issuer = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { privateKeyPem, chainPem } = await issuer.issue(['shop.example', 'other.example'])
  certificate = { key: privateKeyPem, cert: chainPem, id: 'both' }
})

const SHORT = { headersTimeout: 100, requestTimeout: 100 }

async function withEdge(options: Partial<TlsNeeds>, body: (edge: TestEdge) => Promise<void>): Promise<void> {
  const edge = await startEdge({ 'shop.example': certificate, 'other.example': certificate }, options)
  try {
    await body(edge)
  } finally {
    await edge[Symbol.asyncDispose]()
  }
}

async function openHttp2(port: number, settings: Settings = {}): Promise<ClientHttp2Session> {
  const { socket } = await handshake(port, { servername: 'shop.example', ALPNProtocols: ['h2'] })
  const session = connectHttp2('https://shop.example', { settings, createConnection: () => socket })
  session.on('error', () => {})
  return session
}

async function askHttp2(session: ClientHttp2Session, headers: OutgoingHttpHeaders = {}) {
  const stream = session.request({ ':authority': 'shop.example', ...headers })
  const [answer] = await once(stream, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { status: answer[':status'] as number, body: Buffer.concat(chunks).toString() }
}

test('HTTP/2 is spoken where the client asks for it, under the same rule about its host', () =>
  withEdge({}, async (edge) => {
    const session = await openHttp2(edge.port)
    assert.deepEqual(await askHttp2(session), { status: 200, body: 'host shop.example, HTTP/2' })
    assert.equal((await askHttp2(session, { ':authority': `SHOP.example:${edge.port}` })).status, 200)
    assert.equal((await askHttp2(session, { ':authority': 'other.example' })).status, 421)
    assert.equal((await askHttp2(session, { host: 'other.example' })).body, 'host shop.example, HTTP/2')
    session.destroy()
  }))

test('removal can end the connections of a host at once, and only those', () =>
  withEdge({}, async (edge) => {
    const session = await openHttp2(edge.port)
    const shop = await handshake(edge.port, { servername: 'shop.example' })
    const other = await handshake(edge.port, { servername: 'other.example' })
    await askHttp2(session)
    await askHttp1(shop.socket, 'shop.example')
    await askHttp1(other.socket, 'other.example')
    const closed = Promise.all([once(session, 'close'), once(shop.socket, 'close')])
    assert.equal(edge.listener.closeConnections('shop.example'), 2)
    await closed
    assert.equal(statusOf(await askHttp1(other.socket, 'other.example')), 200)
    assert.equal(edge.listener.closeConnections('shop.example'), 0)
    other.socket.destroy()
  }))

test('a client that dawdles over the handshake is let go', () =>
  withEdge({ timeouts: { handshakeTimeout: 100 } }, async (edge) => {
    await sendRaw(edge.port, '')
    const hello = clientHello('shop.example')
    assert.equal((await sendRaw(edge.port, hello.subarray(0, 20))).length, 0)
    // It may be over before the answer is written: whether there is one, the next but one tells.
    await sendRaw(edge.port, hello)
  }))

test('a look-up that never answers holds a handshake no longer than its timeout', () =>
  withEdge({ timeouts: { handshakeTimeout: 100 }, certificateFor: () => new Promise(() => {}) }, async (edge) => {
    assert.equal((await sendRaw(edge.port, clientHello('shop.example'))).length, 0)
  }))

test('a hello in single bytes is as good as any', () =>
  withEdge({}, async (edge) => {
    const socket = connectTcp({ host: '127.0.0.1', port: edge.port, noDelay: true })
    for (const byte of clientHello('shop.example')) {
      socket.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [answer] = await once(socket, 'data')
    assert.equal(answer[0], 22)
    socket.destroy()
  }))

test('HTTP/1: headers that never end, and silence, end the connection', () =>
  withEdge({ timeouts: { ...SHORT, connectionsCheckingInterval: 30, silenceTimeout: 300 } }, async (edge) => {
    const slow = await handshake(edge.port, { servername: 'shop.example' })
    const slowlyAnswered = once(slow.socket, 'data')
    slow.socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\nX-A: ')
    assert.match(String((await slowlyAnswered)[0]), /^HTTP\/1\.1 408 /)
    const silent = await handshake(edge.port, { servername: 'shop.example' })
    await once(silent.socket.resume(), 'close')
  }))

test('HTTP/2: a connection without requests is closed, however much it pings', (t) =>
  withEdge({ timeouts: { headersTimeout: 200, keepAliveTimeout: 300 } }, async (edge) => {
    // Of the edge too: on a busy machine its connections would be closed before they are looked at.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const idle = await openHttp2(edge.port)
    const pinging = await openHttp2(edge.port)
    const used = await openHttp2(edge.port)
    const sessions = [idle, pinging, used]
    const closed = sessions.map((session) => once(session, 'close'))
    assert.equal((await askHttp2(used)).status, 200)
    await new Promise((resolve) => pinging.ping(resolve))
    t.mock.timers.tick(199)
    await new Promise((resolve) => pinging.ping(resolve))
    assert.ok(sessions.every((session) => !session.closed))
    t.mock.timers.tick(1)
    await Promise.all(closed.slice(0, 2))
    assert.equal((await askHttp2(used)).status, 200)
    await new Promise((resolve) => used.ping(resolve))
    t.mock.timers.tick(300)
    await closed[2]
  }))

test('HTTP/2: a request body that never ends is cancelled', () =>
  withEdge({ timeouts: SHORT, handle: (request) => request.resume() }, async (edge) => {
    const session = await openHttp2(edge.port)
    const stream = session.request({ ':authority': 'shop.example', ':method': 'POST' }, { endStream: false })
    stream.on('error', () => {})
    stream.write('some')
    await once(stream, 'close')
    assert.equal(stream.rstCode, constants.NGHTTP2_CANCEL)
    session.destroy()
  }))

test('HTTP/2: dozens of large files at once come whole, and requests while they are sent are answered', () => {
  const large = Buffer.alloc(SLICE_BYTES, 'x')
  const handle = (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(200).end(large)
  return withEdge({ handle }, async (edge) => {
    // A visitor who takes more than the first piece of each file, and not all of it.
    const session = await openHttp2(edge.port, { initialWindowSize: H2_WRITE_BYTES + 1 })
    session.setLocalWindowSize(100 * SLICE_BYTES)
    const bodies = Array.from({ length: 40 }, () => session.request({ ':authority': 'shop.example' }).iterator())
    const begun = await Promise.all(bodies.map((body) => readBytes(body, H2_WRITE_BYTES + 1)))
    assert.equal((await askHttp2(session, { ':method': 'HEAD' })).status, 200)
    const rest = await Promise.all(bodies.map((body) => readBytes(body)))
    assert.deepEqual(new Set(rest.map((bytes, at) => bytes + begun[at]!)), new Set([SLICE_BYTES]))
    const { maxSessionMemory, settings } = H2_OPTIONS
    const ofAllStreams = settings.maxConcurrentStreams * H2_WRITE_BYTES
    assert.ok(ofAllStreams < 0.75 * maxSessionMemory * 1_000_000, 'a quarter of the memory is left for all else')
    session.destroy()
  })
})

test('HTTP/2: an answer that breaks off is not taken for all of it', () => {
  const handle = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200)
    response.write('the first half')
    response.destroy()
  }
  return withEdge({ handle }, async (edge) => {
    const session = await openHttp2(edge.port)
    const body = session.request({ ':authority': 'shop.example' })
    await assert.rejects(readBytes(body.iterator()), /NGHTTP2_INTERNAL_ERROR/)
    session.destroy()
  })
})

async function readBytes(body: AsyncIterator<Buffer>, atLeast = Infinity): Promise<number> {
  let bytes = 0
  for (let part = await body.next(); !part.done; part = await body.next()) {
    bytes += part.value.length
    if (bytes >= atLeast) break
  }
  return bytes
}

test('HTTP/2: opening and resetting streams at full speed ends the connection', () =>
  withEdge({}, async (edge) => {
    const session = await openHttp2(edge.port)
    const closed = new Promise((resolve) => session.on('close', resolve))
    for (let batch = 0; batch < 40 && !session.closed; batch++) {
      for (let at = 0; at < 50 && !session.closed; at++) {
        const stream = session.request({ ':authority': 'shop.example' })
        stream.on('error', () => {})
        stream.close(constants.NGHTTP2_CANCEL)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await closed
    const next = await openHttp2(edge.port)
    assert.equal((await askHttp2(next)).status, 200, 'others do not notice')
    next.destroy()
  }))

test('HTTP/2: headers have the bounds of HTTP/1, with its answer, and all cookies are one line', () =>
  withEdge({}, async (edge) => {
    const session = await openHttp2(edge.port)
    const lines = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'y']))
    const cookies = (count: number) => ({ cookie: Array.from({ length: count }, (_, at) => `c${at}=1`) })
    for (const method of ['GET', 'POST']) {
      const ask = async (headers: OutgoingHttpHeaders) => askHttp2(session, { ':method': method, ...headers })
      assert.equal((await ask(cookies(900))).status, 200)
      // With that of the host, 200.
      assert.equal((await ask({ ...lines(198), ...cookies(180) })).status, 200)
      assert.equal((await ask({ 'x-long': 'x'.repeat(16_000) })).status, 200)
      for (const [headers, message] of [
        [lines(200), /more than 200 header lines/],
        [{ 'x-long': 'x'.repeat(40_000) }, /larger than 16 KiB/],
        [{ cookie: Array.from({ length: 900 }, () => `c=${'x'.repeat(20)}`) }, /larger than 16 KiB/],
      ] as const) {
        const { status, body } = await ask(headers)
        const error = JSON.parse(body)
        assert.deepEqual([status, error.code, error.status], [431, 'headers_too_large', 431])
        assert.match(error.message, message)
      }
    }
    assert.equal((await askHttp2(session, { ':method': 'HEAD', ...lines(200) })).status, 431)
    assert.equal((await askHttp2(session)).status, 200, 'the connection goes on')
    session.destroy()
  }))

test('HTTP/2: headers far beyond the bounds are not read', () =>
  withEdge({}, async (edge) => {
    const session = await openHttp2(edge.port)
    const tooMany = Array.from({ length: 1000 }, (_, at) => `c${at}=1`)
    const tooLong = Array.from({ length: 900 }, () => `c=${'x'.repeat(40)}`)
    for (const cookie of [tooMany, tooLong]) {
      const stream = session.request({ ':authority': 'shop.example', cookie })
      stream.on('error', () => {})
      await new Promise((resolve) => stream.on('close', resolve))
      assert.equal(stream.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    }
    session.destroy()
  }))

test('records that cannot be decrypted end the connection', () =>
  withEdge({}, async (edge) => {
    const raw = connectTcp({ host: '127.0.0.1', port: edge.port })
    await once(raw, 'connect')
    const { outcome } = await handshake(edge.port, { servername: 'shop.example', socket: raw })
    assert.equal(outcome, 'secure')
    const closed = once(raw, 'close')
    raw.write(Buffer.concat([Buffer.of(23, 3, 3, 0, 40), Buffer.alloc(40, 9)]))
    await closed
  }))

test('one address holds so many connections and gets its places back', () =>
  withEdge({ gate: new ConnectionGate({ perNetworkMax: 2 }) }, async (edge) => {
    const first = await handshake(edge.port, { servername: 'shop.example' })
    const second = await handshake(edge.port, { servername: 'shop.example' })
    assert.notEqual((await handshake(edge.port, { servername: 'shop.example' })).outcome, 'secure')
    first.socket.destroy()
    await askHttp1(second.socket, 'shop.example')
    const third = await handshake(edge.port, { servername: 'shop.example' })
    assert.equal(third.outcome, 'secure')
    for (const { socket } of [second, third]) socket.destroy()
  }))

test('closing the listener lets a running request finish and ends idle connections', async () => {
  const arrived = Promise.withResolvers<() => void>()
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    arrived.resolve(() => echoHost(request, response))
  }
  const edge = await startEdge({ 'shop.example': certificate }, { handle })
  const { socket } = await handshake(edge.port, { servername: 'shop.example' })
  const session = await openHttp2(edge.port)
  const idle = once(session, 'close')
  const answer = askHttp1(socket, 'shop.example')
  const finish = await arrived.promise
  const closed = edge[Symbol.asyncDispose]()
  await idle
  finish()
  assert.match(await answer, /^HTTP\/1\.1 200 .*host shop\.example/s)
  await closed
})
