import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, STATUS_CODES } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { systemClock } from '../../clock.ts'
import { linesOf } from './form.ts'
import { wholeAnswers } from './whole.ts'

const HEADERS = ['X-Request-Id', 'req_1', 'Content-Type', 'application/json', 'Content-Length', '9']
const BODY = '{"id": 1}'
const get = (more = '') => `GET / HTTP/1.1\r\nHost: here\r\n${more}\r\n`
const last = get('Connection: close\r\n')

const writeWhole = wholeAnswers(systemClock)
const asDocumented: RequestListener = (_, response) => void response.writeHead(201, HEADERS).end(BODY)
const whole: RequestListener = (request, response) => {
  if (!writeWhole(response, 201, linesOf(HEADERS), BODY)) asDocumented(request, response)
}

test('an answer that is written whole has the bytes of one that is written as documented', async () => {
  const [one, other] = [await bytesOf(whole, get() + last), await bytesOf(asDocumented, get() + last)]
  assert.equal(one, other)
  assert.equal(one.split(`HTTP/1.1 201 ${STATUS_CODES[201]}\r\n`).length, 3)
})

test('answers to requests that come at once go out in their order', async () => {
  const late: RequestListener = (request, response) =>
    void setTimeout(() => whole(request, response), request.url === '/' ? 20 : 0)
  const paths: string[] = []
  await bytesOf(
    (request, response) => {
      response.on('finish', () => paths.push(request.url as string))
      late(request, response)
    },
    get() + get().replace('/', '/second') + last.replace('/', '/third'),
  )
  assert.deepEqual(paths, ['/', '/second', '/third'])
})

test('where a connection ends, the head alone is wanted or headers are set, it is left to Node', async () => {
  const outcomes: boolean[] = []
  const noting: RequestListener = (request, response) => {
    if (request.url === '/set') response.setHeader('Connection', 'close')
    const isWritten = writeWhole(response, 201, linesOf(HEADERS), BODY)
    outcomes.push(isWritten)
    if (!isWritten) asDocumented(request, response)
  }
  await bytesOf(noting, last)
  await bytesOf(noting, 'GET / HTTP/1.0\r\nHost: here\r\n\r\n')
  await bytesOf(noting, get().replace('/', '/set'))
  await bytesOf(noting, get().replace('GET', 'HEAD') + last)
  await bytesOf(noting, get() + last)
  assert.deepEqual(outcomes, [false, false, false, false, false, true, false])
})

/** Everything that a server says to these requests, whose last one ends the connection. The dates are made alike. */
async function bytesOf(listener: RequestListener, requests: string): Promise<string> {
  await using server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(requests)
  return (await text(socket)).replaceAll(/Date: .*/g, 'Date: now')
}
