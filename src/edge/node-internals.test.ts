import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, Socket } from 'node:net'
import { before, test } from 'node:test'
import { connect as connectTls, type SecureContext, TLSSocket } from 'node:tls'
import { createInternalCa, createRoot } from '../features/certificates/authority/internal-ca.ts'
import { systemClock } from '../platform/clock.ts'
import { StartError } from '../platform/start-error.ts'
import {
  acceptFirst,
  answerBeingWritten,
  onLastAnswer,
  releaseTlsContext,
  requireNodeInternals,
  startTls,
  streamsFirst,
  withoutBody,
  endWithWrite,
  writeOneByOne,
} from './node-internals.ts'
import { createTlsContext, type KeyAndCertificate } from './tls/context.ts'

let pair: KeyAndCertificate
before(async () => {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { privateKeyPem, chainPem } = await ca.issue(['shop.example'])
  pair = { key: privateKeyPem, cert: chainPem }
})

async function listening(server: Server) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() }
}

/** A TLS server that says hello to everybody with whom it has shaken hands. */
async function greeter(context: SecureContext, onSecure = greet) {
  const server = createTcpServer((socket: Socket) => {
    socket.on('error', () => {})
    startTls(socket, context, Buffer.from('\x02h2'), onSecure)
  })
  return listening(server)
}

const greet = (secured: TLSSocket): void => void secured.write('hello')

const tlsClient = (port: number) =>
  connectTls({ port, host: '127.0.0.1', servername: 'shop.example', rejectUnauthorized: false, ALPNProtocols: ['h2'] })

test('the answer that is being written is known of a socket, and gone once it is complete', async () => {
  let answer: ServerResponse | undefined
  let socket: Socket | undefined
  using server = await listening(
    createServer((request, response) => {
      ;[socket, answer] = [request.socket, response]
      assert.equal(answerBeingWritten(request.socket), response)
      response.end('ok')
    }),
  )
  const client = connect(server.port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(client, 'data')
  assert.equal(answer?.writableFinished, true)
  assert.equal(answerBeingWritten(socket!), undefined)
  client.destroy()
})

test('after the last answer a connection is closed as it was told, and not before', async () => {
  const closed: string[] = []
  using server = await listening(
    createServer((request, response) => {
      onLastAnswer(request.socket, (socket) => {
        closed.push(String(request.url))
        socket.end()
      })
      response.end('ok')
    }),
  )
  const client = connect(server.port, '127.0.0.1')
  client.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(client, 'data')
  client.resume().write('GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await once(client, 'close')
  assert.deepEqual(closed, ['/last'])
})

test('a connection is served HTTP only when it is handed on, and then under the timeouts of its server', async () => {
  const http = createServer({ headersTimeout: 50, connectionsCheckingInterval: 10 }, (_, response) =>
    response.end('ok'),
  )
  const accepted: Socket[] = []
  const serve = acceptFirst(http, (socket) => void accepted.push(socket))
  assert.equal(http.listenerCount('connection'), 1)
  using server = await listening(http)
  const client = connect(server.port, '127.0.0.1')
  await once(http, 'connection')
  assert.equal(accepted.length, 1)
  serve(accepted[0] as TLSSocket)
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 200 /)
  client.write('GET / HT')
  assert.match(String((await once(client, 'data'))[0]), /^HTTP\/1\.1 408 /)
  client.destroy()
})

test('a socket that has shaken hands says so, and HTTP/2 is spoken on it', async () => {
  const http2 = createHttp2Server((_, response) => response.end('ok'))
  using server = await greeter(createTlsContext(pair), (secured) => void http2.emit('connection', secured))
  const session = connectHttp2('https://shop.example', { createConnection: () => tlsClient(server.port) })
  const [headers] = await once(session.request(), 'response')
  assert.equal(headers[':status'], 200)
  session.destroy()
})

test('a stream of HTTP/2 that is not taken comes as a request', async () => {
  const http2 = createHttp2Server((_, response) => response.end())
  const taken: unknown[] = []
  streamsFirst(http2, (stream, { ':path': path }) => {
    taken.push(path)
    if (path === '/request') return false
    stream.respond({ ':status': 204 })
    return true
  })
  using server = await listening(http2)
  const session = connectHttp2(`http://127.0.0.1:${server.port}`)
  const statusOf = async (path: string) => (await once(session.request({ ':path': path }), 'response'))[0][':status']
  assert.deepEqual([await statusOf('/stream'), await statusOf('/request')], [204, 200])
  assert.deepEqual(taken, ['/stream', '/request'])
  session.destroy()
})

test('a stream without a body is not read to its end when the answer is complete', async () => {
  const http2 = createHttp2Server()
  const closed = Promise.withResolvers<[number, boolean]>()
  http2.on('stream', (stream: ServerHttp2Stream) => {
    withoutBody(stream)
    // Node hears of the end there in order to destroy the stream.
    stream.once('close', () => closed.resolve([stream.listenerCount('end'), stream.writableFinished]))
    stream.respond({ ':status': 200 })
    stream.end('ok')
  })
  using server = await listening(http2)
  const session = connectHttp2(`http://127.0.0.1:${server.port}`)
  const stream = session.request()
  assert.equal(String(await once(stream, 'data')), 'ok')
  await once(stream.resume(), 'close')
  assert.deepEqual(await closed.promise, [0, true], 'not destroyed before its answer was written')
  session.destroy()
})

test('streams that their client ends at once, without an error, are all destroyed, written or not', async () => {
  const http2 = createHttp2Server()
  const isWritten: boolean[] = []
  const closed = Promise.withResolvers<void>()
  http2.on('stream', (stream: ServerHttp2Stream) => {
    withoutBody(stream)
    stream.once('close', () => isWritten.push(stream.writableFinished) === 3 && closed.resolve())
    stream.respond({ ':status': 200 })
    stream.end('more than the client wants')
  })
  using server = await listening(http2)
  const session = connectHttp2(`http://127.0.0.1:${server.port}`, { settings: { initialWindowSize: 4 } })
  const streams = [session.request(), session.request(), session.request()]
  await Promise.all(streams.map((stream) => once(stream, 'response')))
  for (const stream of streams) stream.close()
  await closed.promise
  assert.deepEqual(isWritten, [false, false, false])
  session.destroy()
})

test('what is written to a stream of HTTP/2 while it writes follows in one piece after the other', async () => {
  const written: string[] = []
  const http2 = createHttp2Server()
  http2.on('stream', (stream: ServerHttp2Stream) => {
    writeOneByOne(stream)
    const write = stream._write.bind(stream)
    stream._write = (chunk, encoding, done) => {
      written.push(String(chunk))
      write(chunk, encoding, done)
    }
    stream.respond({ ':status': 200 })
    for (const piece of ['a', 'b', 'c']) stream.write(piece)
    stream.end('d')
  })
  using server = await listening(http2)
  const session = connectHttp2(`http://127.0.0.1:${server.port}`)
  let body = ''
  for await (const chunk of session.request()) body += String(chunk)
  assert.deepEqual([body, written], ['abcd', ['a', 'b', 'c', 'd']])
  session.destroy()
})

test('an answer of one write ends with it, however slowly it is taken, and not once more', async () => {
  let ends = 0
  const http2 = createHttp2Server()
  const closed = Promise.withResolvers<[boolean, boolean]>()
  http2.on('stream', (stream: ServerHttp2Stream) => {
    const end = stream._final.bind(stream)
    stream._final = (done) => (ends++, end(done))
    withoutBody(stream)
    endWithWrite(stream)
    stream.once('close', () => closed.resolve([stream.writableFinished, stream.aborted]))
    stream.respond({ ':status': 200 })
    stream.end('more than the client takes at once')
  })
  using server = await listening(http2)
  const session = connectHttp2(`http://127.0.0.1:${server.port}`, { settings: { initialWindowSize: 4 } })
  let body = ''
  for await (const chunk of session.request()) body += String(chunk)
  assert.equal(body, 'more than the client takes at once')
  assert.deepEqual([await closed.promise, ends], [[true, false], 0])
  session.destroy()
})

test('bytes that are no TLS record end a connection, before its handshake and after', async () => {
  using server = await greeter(createTlsContext(pair))
  const closed = (socket: Socket) => new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  const stranger = connect(server.port, '127.0.0.1')
  stranger.resume().write('this is no TLS')
  await closed(stranger)

  const raw = connect(server.port, '127.0.0.1')
  const client = connectTls({ socket: raw, servername: 'shop.example', rejectUnauthorized: false })
  await once(client, 'data')
  raw.write('this is no TLS')
  await closed(client.resume())
})

test('a context that was released shakes no more hands, and what is open goes on', async () => {
  const context = createTlsContext(pair)
  const shaken = Promise.withResolvers<TLSSocket>()
  using server = await greeter(context, shaken.resolve)
  const client = tlsClient(server.port)
  const secured = await shaken.promise
  releaseTlsContext(context)
  assert.throws(() => startTls(new Socket(), context, Buffer.alloc(0), () => assert.fail()))
  secured.write('still here')
  assert.equal(String((await once(client, 'data'))[0]), 'still here')
  client.destroy()
})

test('a Node without one of these parts is refused with a sentence that names it', () => {
  requireNodeInternals()
  const prototype = TLSSocket.prototype as unknown as Record<string, unknown>
  const { _tlsError } = prototype
  delete prototype._tlsError
  try {
    assert.throws(requireNodeInternals, (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /^Node \d+\.\d+\.\d+ lacks tls\.TLSSocket#_tlsError, which .* \(npm ci\)\.$/)
      return true
    })
  } finally {
    prototype._tlsError = _tlsError
  }
})
