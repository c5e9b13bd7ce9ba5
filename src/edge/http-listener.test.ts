import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { converse } from '../../test/interface/raw-http.ts'
import { ConnectionGate } from './connection-gate.ts'
import { HTTP_TIMEOUTS } from './http-limits.ts'
import { type HttpNeeds, listen } from './http-listener.ts'

const start = (handle: HttpNeeds['handle'], timeouts = HTTP_TIMEOUTS as Record<keyof typeof HTTP_TIMEOUTS, number>) =>
  listen('127.0.0.1', 0, { gate: new ConnectionGate(), handle, timeouts })

const echo: HttpNeeds['handle'] = (request, response) => response.end(request.url)

const error = (code: string, status: number, body: string) => {
  const { message, ...rest } = JSON.parse(body) as Record<string, unknown>
  assert.deepEqual(rest, { code, status })
  assert.equal(typeof message, 'string')
}

test('a refusal waits for the answers that are due before it', async () => {
  const waiting: ServerResponse[] = []
  await using listener = await start((request, response) => {
    waiting.push(response)
    if (waiting.length === 2) setTimeout(() => waiting.forEach((late, index) => late.end(`answer ${index}`)), 50)
  })
  const { answers, closed } = await converse(listener.port, [
    'GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\nJUNK\r\n\r\n',
  ])
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 400],
  )
  assert.equal(closed, true)
})

test('a malformed request is refused in its turn', async () => {
  await using listener = await start((_request, response) => setTimeout(() => response.end('late'), 50))
  const { answers } = await converse(listener.port, [
    'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  ])
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 400],
  )
})

test('nothing is served any more on a connection that has been ended', async () => {
  const served: string[] = []
  const listener = await start((request, response) => {
    served.push(request.url as string)
    response.setHeader('Connection', 'close').end('last')
  })
  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n`
  const client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
  client.write(post('/first'))
  await once(client.resume(), 'end')
  client.end(`x${post('/second')}x`)
  await once(client, 'close')
  // Everything that was sent has been read once the listener is closed.
  await listener[Symbol.asyncDispose]()
  assert.deepEqual(served, ['/first'])
})

test('a client that reads only after sending everything still gets the answer to an unwanted body', async () => {
  await using listener = await start((_request, response) => {
    response.writeHead(413, { Connection: 'close', 'Content-Length': '0' }).end()
  })
  for (let round = 0; round < 3; round++) {
    const client = connect(listener.port, '127.0.0.1').pause()
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n')
    const megabyte = Buffer.alloc(1_000_000)
    for (let sent = 0; sent < 20; sent++) {
      await new Promise<void>((resolve, reject) =>
        client.write(megabyte, (error) => (error ? reject(error) : resolve())),
      )
    }
    let answer = ''
    client.on('data', (bytes) => (answer += bytes.toString())).resume()
    await once(client, 'end')
    assert.match(answer, /^HTTP\/1\.1 413 /)
    client.destroy()
  }
})

test('a client that dawdles is told so, and its connection ends', async () => {
  const impatient = {
    headersTimeout: 100,
    requestTimeout: 200,
    keepAliveTimeout: 1000,
    connectionsCheckingInterval: 50,
  }
  await using listener = await start((request, response) => request.resume().on('end', () => response.end()), impatient)
  for (const begun of ['GET / HT', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123']) {
    const { answers, closed } = await converse(listener.port, [begun])
    assert.equal(answers[0]?.status, 408)
    error('request_timeout', 408, answers[0]?.body ?? '')
    assert.equal(closed, true)
  }
})

test('a slow body is served all the same', async () => {
  await using listener = await start((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part)).on('end', () => response.end(Buffer.concat(parts)))
  })
  const letters = [...'slowly'].flatMap((letter) => [{ pauseMs: 10 }, letter])
  const { answers } = await converse(
    listener.port,
    ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n', ...letters],
    1,
  )
  assert.equal(answers[0]?.body, 'slowly')
})

const MALFORMED: Record<string, [bytes: string, code: string, status: number]> = {
  'no Host': ['GET / HTTP/1.1\r\n\r\n', 'invalid_request', 400],
  'two Hosts': ['GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', 'invalid_request', 400],
  'HTTP/2.0': ['GET / HTTP/2.0\r\nHost: a\r\n\r\n', 'invalid_request', 400],
  CONNECT: ['CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 'method_not_allowed', 405],
  'an unknown method': ['BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 'method_not_allowed', 405],
  'a line that is no request': ['BREW\r\nHost: a\r\n\r\n', 'invalid_request', 400],
  'a target on another host': ['GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request', 400],
  'a target of another scheme': ['GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_request', 400],
  'too many headers': [`GET / HTTP/1.1\r\nHost: a\r\n${'a:b\r\n'.repeat(200)}\r\n`, 'headers_too_large', 431],
  'more headers than Node counts': [
    `GET / HTTP/1.1\r\n${'a:b\r\n'.repeat(2100)}Host: a\r\n\r\n`,
    'headers_too_large',
    431,
  ],
  'huge headers': [`GET / HTTP/1.1\r\nHost: a\r\na: ${'b'.repeat(17_000)}\r\n\r\n`, 'headers_too_large', 431],
}

for (const [name, [bytes, code, status]] of Object.entries(MALFORMED)) {
  test(`${name}: refused with the Error body, and the connection ends`, async () => {
    await using listener = await start(echo)
    const { answers, closed } = await converse(listener.port, [bytes])
    assert.equal(answers.length, 1)
    assert.equal(answers[0]?.status, status)
    error(code, status, answers[0]?.body ?? '')
    assert.equal(answers[0]?.headers['content-type'], 'application/json')
    assert.match(answers[0]?.headers['x-request-id'] ?? '', /^req_/)
    assert.equal(closed, true)
  })
}

const TARGETS: Record<string, string> = {
  'GET http://a:80/path?q=1': '/path?q=1',
  'GET HTTP://A:80': '/',
  'GET http://a:80?q': '/?q',
  'OPTIONS *': '*',
}

for (const [requested, path] of Object.entries(TARGETS)) {
  test(`${requested} asks for ${path}`, async () => {
    await using listener = await start(echo)
    const { answers } = await converse(listener.port, [`${requested} HTTP/1.1\r\nHost: a:80\r\n\r\n`], 1)
    assert.equal(answers[0]?.status, 200)
    assert.equal(answers[0]?.body, path)
  })
}

test('an unknown expectation is ignored', async () => {
  await using listener = await start(echo)
  const { answers } = await converse(listener.port, ['GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n'], 1)
  assert.equal(answers[0]?.status, 200)
})

test('whoever asks for a proxy and hangs up at once concerns nobody else', async () => {
  await using listener = await start(echo)
  for (const body of ['', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n']) {
    const client = connect(listener.port, '127.0.0.1')
    client.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(client, 'data')
    client.write(`CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n${body}\r\n`)
    client.resetAndDestroy()
  }
  const { answers } = await converse(listener.port, ['GET /still HTTP/1.1\r\nHost: a\r\n\r\n'], 1)
  assert.equal(answers[0]?.body, '/still')
})

test('the refusal of a proxy waits for the answers that are due before it', async () => {
  await using listener = await start((_request, response) => setImmediate(() => response.end('late')))
  for (const body of ['', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n']) {
    const { answers, closed } = await converse(listener.port, [
      `${TWO}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n${body}\r\n`,
    ])
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 405],
    )
    error('method_not_allowed', 405, answers[2]?.body ?? '')
    assert.equal(closed, true)
  }
})

test('every answer that is due hears of the end of a connection on which a proxy was asked for', async () => {
  const due: ServerResponse[] = []
  const bothDue = Promise.withResolvers<void>()
  await using listener = await start((_request, response) => {
    if (due.push(response) === 2) bothDue.resolve()
  })
  const client = connect(listener.port, '127.0.0.1').on('error', () => {})
  client.write(`${TWO}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`)
  await bothDue.promise
  const heard = Promise.all(due.map((response) => once(response, 'close')))
  client.destroy()
  await heard
})

const TWO = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2)

test('what is in flight when the listener closes is answered', async () => {
  let arrived: (response: ServerResponse) => void = () => {}
  const inFlight = new Promise<ServerResponse>((resolve) => (arrived = resolve))
  const listener = await start((_request, response) => arrived(response))
  const conversation = converse(listener.port, ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'])
  const response = await inFlight
  const closed = listener[Symbol.asyncDispose]()
  response.end('in time')
  assert.equal((await conversation).answers[0]?.body, 'in time')
  await closed
})
