import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { until } from '../../test/harness/until.ts'
import { systemClock } from '../platform/clock.ts'
import { BriefRequest, BriefResponse } from '../platform/http/wire/brief.ts'
import { linesOf } from '../platform/http/wire/form.ts'
import { wholeAnswers } from '../platform/http/wire/whole.ts'
import type { Brevity } from './brief-exchanges.ts'
import { HTTP_TIMEOUTS } from './http-limits.ts'
import { createHttpServer } from './http-server.ts'

const writeWhole = wholeAnswers(systemClock)

/** Answers with what it was asked, as the path wants it: at once or later, whole, by a head, as an error. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const whole = request instanceof BriefRequest ? request.body?.toString() : undefined
  if (request.method !== 'POST' || whole !== undefined) return echoWith(whole ?? '', request, response)
  void text(request).then((said) => echoWith(said, request, response))
}

function echoWith(said: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '', httpVersion } = request
  const body = JSON.stringify({ method, url, httpVersion, headers: { ...request.headers }, said })
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))]
  const answer = () => {
    if (url.includes('error')) response.writeHead(404, headers).end(body)
    else if (url.includes('last')) response.setHeader('Connection', 'close').writeHead(200, headers).end(body)
    else if (url.startsWith('/same')) sendWhole(response, 304, ['ETag', '"a"'])
    else sendWhole(response, 200, headers, body)
  }
  request.resume?.()
  if (url.includes('set')) response.setHeader('X-Robots-Tag', 'noindex')
  if (url.startsWith('/later')) setTimeout(answer, 5)
  else answer()
}

/** By the book where Node has made the response. */
function sendWhole(response: ServerResponse, status: number, headers: string[], body = ''): void {
  if (response instanceof BriefResponse && writeWhole(response, status, linesOf(headers), body)) return
  response.writeHead(status, headers).end(body, 'latin1')
}

async function start(brevity: Brevity | undefined, serve = echo) {
  const served: [string, ServerResponse][] = []
  const sockets: Socket[] = []
  const noting = (request: IncomingMessage, response: ServerResponse) => {
    served.push([request.url as string, response])
    serve(request, response)
  }
  /** Which have been answered without anything of Node's. */
  const briefs = () =>
    served.filter(([, response]) => response instanceof BriefResponse && response.isSent).map(([url]) => url)
  const server = createHttpServer(HTTP_TIMEOUTS, noting, brevity && (() => brevity))
  server.on('connection', (socket: Socket) => sockets.push(socket))
  const port = await listening(server)
  return { port, served, briefs, sockets, server, [Symbol.dispose]: () => end(server) }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function end(server: Server): void {
  server.closeAllConnections()
  server.close()
}

/** Everything that is said to these bytes, of which the server reads each part by itself. */
async function converse({ port, sockets }: { port: number; sockets: Socket[] }, parts: readonly string[]) {
  const before = sockets.length
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const answer = text(socket)
  let sent = 0
  let heard = 0
  for (const part of parts) {
    if (part === PAUSE) await until('something is said', () => socket.bytesRead > heard)
    else {
      heard = socket.bytesRead
      socket.write(part)
      sent += part.length
      await until('it is read', () => (sockets[before]?.bytesRead ?? 0) >= sent)
    }
  }
  return (await answer).replaceAll(/Date: .*/g, 'Date: now').replaceAll(/req_\w+/g, 'req_1')
}

/** Until something is said. */
const PAUSE = '(pause)'
const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`
const LAST = ask('/end', 'Connection: close\r\n')
const MANY = Array.from({ length: 60 }, (_, at) => `X-${at}: ${at}\r\n`).join('')

/** What is answered briefly of each conversation. */
const CONVERSATIONS: Record<string, { parts: readonly string[]; briefly: readonly string[] }> = {
  'one read after the other': { parts: [ask('/a'), ask('/error'), LAST], briefly: ['/a'] },
  'reads that come at once, of which all but the first wait as long as Node lets them': {
    parts: [ask('/a') + ask('/b') + ask('/c') + LAST],
    briefly: ['/a'],
  },
  'reads behind one that is answered later': {
    parts: [ask('/a') + ask('/later') + ask('/b') + ask('/later2') + ask('/c') + LAST],
    briefly: ['/a'],
  },
  'an answer without a body': { parts: [ask('/same') + ask('/a') + LAST], briefly: ['/same'] },
  'a header that is set before': {
    parts: [ask('/set') + ask('/later-set') + ask('/error-set') + LAST],
    briefly: ['/set'],
  },
  'an error between reads': { parts: [ask('/a') + ask('/error') + LAST], briefly: ['/a'] },
  'a read behind an error': { parts: [ask('/error') + ask('/a') + LAST], briefly: [] },
  'an answer that ends the connection': { parts: [ask('/a') + ask('/last')], briefly: ['/a'] },
  'a body behind a read, and a read behind the body': {
    parts: [`${ask('/a')}POST /b HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc${ask('/c')}${LAST}`],
    briefly: ['/a'],
  },
  'a read with a body': { parts: [ask('/a', 'Content-Length: 3\r\n') + `abc${LAST}`], briefly: [] },
  'a read with a body in chunks': {
    parts: [ask('/a', 'Transfer-Encoding: chunked\r\n') + `3\r\nabc\r\n0\r\n\r\n${LAST}`],
    briefly: [],
  },
  'a read in pieces': { parts: ['GET /a HT', 'TP/1.1\r\nHo', 'st: here\r\nA: b\r', '\n\r\n', LAST], briefly: ['/a'] },
  'more headers than the parser tells of at once': { parts: [ask('/a', MANY), LAST], briefly: [] },
  'headers that come twice': { parts: [ask('/a', 'Accept: a\r\naccept: b\r\n'), LAST], briefly: [] },
  'headers with the names of what every object has': {
    parts: [ask('/a', 'constructor: a\r\nhasOwnProperty: c\r\n'), LAST],
    briefly: ['/a'],
  },
  'another method, another version, an expectation, an upgrade': {
    parts: [
      ask('/a').replace('GET', 'HEAD') + ask('/b').replace('GET', 'OPTIONS'),
      ask('/c', 'Expect: 100-continue\r\n') + ask('/d', 'Upgrade: other\r\nConnection: upgrade\r\n'),
      ask('/e', 'Connection: keep-alive\r\n').replace('HTTP/1.1', 'HTTP/1.0'),
      LAST,
    ],
    briefly: [],
  },
  'what is no HTTP behind a read': { parts: [`${ask('/a')}JUNK\r\n\r\n`], briefly: ['/a'] },
}

const body = (length: number | string, more = '') => `Content-Length: ${length}\r\n${more}`
const tell = (path: string, said = 'abc', more = '') => ask(path, body(said.length, more)).replace('GET', 'POST') + said

/** Where answers may come later, and after a body. */
const SOON: typeof CONVERSATIONS = {
  'a body with its head, and behind it': {
    parts: [tell('/a'), ask('/b', body(3)).replace('GET', 'POST'), 'abc', PAUSE, tell('/set'), LAST],
    briefly: ['/a', '/set'],
  },
  'a body in two parts': { parts: [tell('/a').slice(0, -1), 'c', ask('/b'), LAST], briefly: ['/b'] },
  'what is answered later': { parts: [tell('/later') + LAST], briefly: [] },
  'what is answered later, and nothing comes behind it': { parts: [ask('/later'), PAUSE, LAST], briefly: ['/later'] },
  'a body that is answered later': {
    parts: [tell('/later'), PAUSE, tell('/later-set'), PAUSE, ask('/a'), LAST],
    briefly: ['/later', '/later-set', '/a'],
  },
  'requests behind one that is answered later': {
    parts: [tell('/later') + ask('/a') + tell('/b') + ask('/later2') + tell('/c') + LAST],
    briefly: [],
  },
  'more headers than the parser tells of at once, behind one that is answered later': {
    parts: [tell('/later') + ask('/a', MANY) + LAST],
    briefly: [],
  },
  'errors, at once and later': {
    parts: [tell('/error'), tell('/later-error'), PAUSE, ask('/later-error-set'), PAUSE, LAST],
    briefly: [],
  },
  'an answer that ends the connection, later': { parts: [tell('/later-last'), PAUSE], briefly: [] },
  'what is no HTTP behind one that is answered later': { parts: [`${tell('/later')}JUNK\r\n\r\n`], briefly: [] },
  'a body of no bytes, of too many, in chunks, expected': {
    parts: [
      tell('/a', '') + tell('/b', 'x'.repeat(16 * 1024 + 1)),
      ask('/c', 'Transfer-Encoding: chunked\r\n').replace('GET', 'POST') + '3\r\nabc\r\n0\r\n\r\n',
      tell('/d', 'abc', 'Expect: 100-continue\r\n'),
      ask('/e', body(3)) + `abc${LAST}`,
    ],
    briefly: [],
  },
  'another method with a body': { parts: [tell('/a').replace('POST', 'PUT') + LAST], briefly: [] },
}

const ALL = [
  ...Object.entries(CONVERSATIONS).map(([what, of]) => ({ what, brevity: 'at-once' as const, ...of })),
  ...Object.entries(SOON).map(([what, of]) => ({ what, brevity: 'soon' as const, ...of })),
]
for (const { what, brevity, parts, briefly } of ALL) {
  test(`${what}: the same bytes, whether or not Node has made a request and a response of it`, async () => {
    using brief = await start(brevity)
    using plain = await start(undefined)
    const [said, expected] = await Promise.all([converse(brief, parts), converse(plain, parts)])
    assert.equal(said, expected)
    assert.notEqual(said, '')
    assert.deepEqual(brief.briefs(), briefly)
    assert.deepEqual(plain.briefs(), [])
  })
}

test('a connection that waits for its next request has the usual time, and one that is at work none', async () => {
  const WAITING = HTTP_TIMEOUTS.keepAliveTimeout + 1000
  const seen: Record<string, number | undefined> = {}
  using server = await start('at-once', (request, response) => {
    const { url = '', socket } = request
    seen[url] = socket.timeout
    if (url.startsWith('/later')) setImmediate(() => (seen[`${url}, at work`] = socket.timeout))
    echo(request, response)
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const path of ['/first', '/second', '/later', '/third', '/later2']) {
    const [answer] = (await once(get({ port: server.port, host: '127.0.0.1', path, agent }), 'response')) as [
      IncomingMessage,
    ]
    await text(answer)
  }
  agent.destroy()
  assert.equal(server.sockets.length, 1)
  assert.deepEqual(server.briefs(), ['/first', '/second', '/third'])
  assert.deepEqual(seen, {
    '/first': undefined,
    '/second': WAITING,
    '/later': WAITING,
    '/later, at work': 0,
    '/third': WAITING,
    '/later2': WAITING,
    '/later2, at work': 0,
  })
})

/** Owes an answer to a body until it is let go; then whole or as an error. */
async function owing(path: string) {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = await start('soon', (request, response) => {
    asked.resolve()
    void held.promise.then(() => echo(request, response))
  })
  const client = connect(server.port, '127.0.0.1')
  client.write(tell(path))
  await asked.promise
  return { ...server, client, socket: server.sockets[0] as Socket, letGo: held.resolve }
}

test('a connection that owes an answer has no limit of time, and is none that waits', async () => {
  using owed = await owing('/a')
  assert.equal(owed.socket.timeout ?? 0, 0)
  owed.server.closeIdleConnections()
  owed.letGo()
  const [said] = (await once(owed.client, 'data')) as [Buffer]
  assert.match(String(said), /^HTTP\/1\.1 200 OK/)
  assert.deepEqual(owed.briefs(), ['/a'])
  assert.equal(owed.socket.timeout, HTTP_TIMEOUTS.keepAliveTimeout + 1000)
  owed.server.closeIdleConnections()
  await once(owed.client, 'close')
})

test('behind an answer a connection has no limit of time while it owes one, or waits for a body', async () => {
  const asked = Promise.withResolvers<void>()
  using server = await start('soon', (request, response) => {
    if (request.url === '/a' || request.url === '/error') echo(request, response)
    else asked.resolve()
  })
  for (const next of [tell('/owed'), tell('/owed', 'abc', MANY), tell('/body').slice(0, -'abc'.length)]) {
    for (const before of ['/a', '/error']) {
      const client = connect(server.port, '127.0.0.1')
      client.write(ask(before))
      await once(client, 'data')
      const socket = server.sockets.at(-1) as Socket
      await until('it waits', () => socket.timeout === HTTP_TIMEOUTS.keepAliveTimeout + 1000)
      const { bytesRead } = socket
      client.write(next)
      await until('it is read', () => socket.bytesRead > bytesRead)
      assert.equal(socket.timeout, 0)
    }
  }
  await asked.promise
})

for (const path of ['/a', '/error', '/set']) {
  for (const leave of ['end', 'destroy'] as const) {
    test(`an answer to ${path} that comes when its client has gone (${leave}) is heard by nobody`, async () => {
      using owed = await owing(path)
      const gone = once(owed.socket, leave === 'end' ? 'end' : 'close')
      owed.client[leave]()
      await gone
      owed.letGo()
      if (leave === 'end') owed.client.resume()
      if (!owed.socket.closed) await once(owed.socket, 'close')
      const [, response] = owed.served[0] as [string, ServerResponse]
      await until('it is answered', () => response.headersSent)
      // Or whoever writes more than one part would wait for ever until it is taken.
      assert.equal(response.destroyed, true)
    })
  }
}

test('whoever does not read is not served any more until it does, and gets every answer in its turn', async () => {
  const filler = 'x'.repeat(20_000)
  const REQUESTS = 3000
  let served = 0
  using server = await start('at-once', ({ url }, response) => {
    served++
    const body = url + filler
    sendWhole(response, 200, ['Content-Length', String(body.length)], body)
  })
  const client = connect(server.port, '127.0.0.1').pause()
  for (let at = 0; at < REQUESTS; at++) client.write(ask(`/${at}/`))
  await settled(() => served)
  assert.ok(served > 0 && served < REQUESTS, `${served} were served to whoever does not read`)
  client.end(LAST)
  const paths = [...(await text(client)).matchAll(/\r\n\r\n\/(\d+)\//g)].map(([, path]) => Number(path))
  assert.deepEqual(
    paths,
    Array.from({ length: REQUESTS }, (_, at) => at),
  )
})

/** Until a number has been the same over several looks. */
async function settled(number: () => number): Promise<void> {
  let [before, same] = [-1, 0]
  while (same < 20) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    same = number() === before ? same + 1 : 0
    before = number()
  }
}

test('a parser that brief reads have used serves others as ever', async () => {
  using server = await start('at-once')
  await converse(server, [ask('/a'), LAST])
  const other = createServer((request, response) => response.end(`other ${request.url}`))
  const port = await listening(other)
  const [answer] = (await once(get({ port, host: '127.0.0.1', path: '/b', agent: false }), 'response')) as [
    IncomingMessage,
  ]
  assert.equal(await text(answer), 'other /b')
  end(other)
})

test('an answer that has been sent is not begun anew', () => {
  const response = new BriefResponse(
    connect(9).on('error', () => {}),
    { keepAliveMs: 1, sent() {} },
    () => assert.fail('made'),
  )
  response.sendWhole(200, 'HTTP/1.1 200 OK\r\n\r\n')
  assert.throws(() => response.writeHead(500), /sent already/)
  assert.equal(response.headersSent, true)
})
