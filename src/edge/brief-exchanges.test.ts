import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { systemClock } from '../platform/clock.ts'
import { BriefResponse } from '../platform/http/wire/brief.ts'
import { linesOf } from '../platform/http/wire/form.ts'
import { wholeAnswers } from '../platform/http/wire/whole.ts'
import { HTTP_TIMEOUTS } from './http-limits.ts'
import { createHttpServer } from './http-server.ts'

const writeWhole = wholeAnswers(systemClock)

/** Answers with what it was asked, as the path wants it: at once or later, whole, by a head, as an error. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '', httpVersion } = request
  const body = JSON.stringify({ method, url, httpVersion, headers: { ...request.headers } })
  const headers = ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))]
  const answer = () => {
    if (url.startsWith('/error')) response.writeHead(404, headers).end(body)
    else if (url.startsWith('/last')) response.setHeader('Connection', 'close').writeHead(200, headers).end(body)
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

async function start(isBrief: boolean, serve = echo) {
  const briefs: string[] = []
  const sockets: Socket[] = []
  const noting = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response)
    if (response instanceof BriefResponse && response.isSent) briefs.push(request.url as string)
  }
  const server = createHttpServer(HTTP_TIMEOUTS, noting, isBrief ? () => true : undefined)
  server.on('connection', (socket: Socket) => sockets.push(socket))
  const port = await listening(server)
  return { port, briefs, sockets, [Symbol.dispose]: () => end(server) }
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

/** Everything that is said to these bytes. Parts may come to the server at once, if it is late. */
async function converse(port: number, parts: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const answer = text(socket)
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return (await answer).replaceAll(/Date: .*/g, 'Date: now').replaceAll(/req_\w+/g, 'req_1')
}

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`
const LAST = ask('/end', 'Connection: close\r\n')
const MANY = Array.from({ length: 60 }, (_, at) => `X-${at}: ${at}\r\n`).join('')

/** What is answered briefly of each conversation, whether or not its parts come to the server at once. */
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

for (const [what, { parts, briefly }] of Object.entries(CONVERSATIONS)) {
  test(`${what}: the same bytes, whether or not Node has made a request and a response of it`, async () => {
    using brief = await start(true)
    using plain = await start(false)
    const [said, expected] = await Promise.all([converse(brief.port, parts), converse(plain.port, parts)])
    assert.equal(said, expected)
    assert.notEqual(said, '')
    assert.deepEqual(brief.briefs, briefly)
    assert.deepEqual(plain.briefs, [])
  })
}

test('a connection that waits for its next request has the usual time, and one that is at work none', async () => {
  const WAITING = HTTP_TIMEOUTS.keepAliveTimeout + 1000
  const seen: Record<string, number | undefined> = {}
  using server = await start(true, (request, response) => {
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
  assert.deepEqual(server.briefs, ['/first', '/second', '/third'])
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

test('whoever does not read is not served any more until it does, and gets every answer in its turn', async () => {
  const filler = 'x'.repeat(20_000)
  const REQUESTS = 3000
  let served = 0
  using server = await start(true, ({ url }, response) => {
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
  using server = await start(true)
  await converse(server.port, [ask('/a'), LAST])
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
    1,
    () => assert.fail('made'),
  )
  response.sendWhole(200, 'HTTP/1.1 200 OK\r\n\r\n')
  assert.throws(() => response.writeHead(500), /sent already/)
  assert.equal(response.headersSent, true)
})
