import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { type House, openHouse, PASSWORD, type Person } from '../platform-api/house.ts'

const BALANCER = '127.0.0.9'
let house: House
let person: Person
before(async () => {
  house = await openHouse({ environment: { PETSTORE_TRUSTED_PROXIES: `${BALANCER},2001:db8:ffff::/48` } })
  person = await house.person()
})
after(() => house?.[Symbol.asyncDispose]())

const v1 = (client: string) => `PROXY TCP4 ${client} 127.0.0.1 1234 443\r\n`
const v2 = (...client: number[]) =>
  Buffer.concat([
    Buffer.from('\r\n\r\n\0\r\nQUIT\n!\x11\0\x0c', 'latin1'),
    Buffer.of(...client, 127, 0, 0, 1, 1, 2, 1, 187),
  ])

interface Way {
  from?: string
  /** What comes before everything else on the connection. */
  first?: string | Buffer
  over?: 'plain' | 'TLS' | 'HTTP/2'
  headers?: Record<string, string>
}

interface Answer {
  status: number
  cookies: string[]
  text: string
}

function open({ from = BALANCER, first, over = 'plain' }: Way): Socket {
  const { baseUrl, httpsPort } = house.shop.config
  const port = over === 'plain' ? Number(baseUrl.port) : httpsPort
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  if (first !== undefined) socket.write(first)
  if (over === 'plain') return socket
  const ALPNProtocols = [over === 'TLS' ? 'http/1.1' : 'h2']
  return connectTls({ socket, servername: 'localhost', rejectUnauthorized: false, ALPNProtocols })
}

async function ask(way: Way, method: string, path: string, body?: unknown, cookie = ''): Promise<Answer> {
  const { baseUrl, httpsPort } = house.shop.config
  const host = way.over === undefined ? baseUrl.host : `localhost:${httpsPort}`
  const secure = way.over !== undefined || way.headers?.['X-Forwarded-Proto'] === 'https'
  const headers = {
    'Content-Type': 'application/json',
    Origin: `http${secure ? 's' : ''}://${host}`,
    Cookie: cookie,
    ...way.headers,
  }
  const socket = open(way)
  const text = body === undefined ? '' : JSON.stringify(body)
  try {
    if (way.over === 'HTTP/2') {
      const session = connectHttp2(`https://${host}`, { createConnection: () => socket })
      const stream = session.request(
        { ...headers, ':method': method, ':path': `/platform/v1${path}` },
        { endStream: false },
      )
      stream.end(text)
      const [answer] = await once(stream, 'response')
      const received = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString()
      session.destroy()
      return { status: answer[':status'], cookies: answer['set-cookie'] ?? [], text: received }
    }
    const sent = httpRequest({
      createConnection: () => socket,
      method,
      path: `/platform/v1${path}`,
      headers: { Host: host, Connection: 'close', ...headers },
    })
    sent.end(text)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const received = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()
    return { status: response.statusCode as number, cookies: response.headers['set-cookie'] ?? [], text: received }
  } finally {
    socket.destroy()
  }
}

/** The network that a session was opened from, as the person is shown it. */
async function networkSeen(way: Way): Promise<string> {
  const opened = await ask(way, 'POST', '/sign-in', { email: person.email, password: PASSWORD })
  assert.equal(opened.status, 200, opened.text)
  const cookie = opened.cookies.map((line) => line.split(';', 1)[0]).join('; ')
  const { text } = await ask(way, 'GET', '/sessions', undefined, cookie)
  return JSON.parse(text).find(({ current }: { current: boolean }) => current).network
}

test('the client that a trusted balancer names in a PROXY header is who is meant, on every port', async () => {
  for (const over of ['plain', 'TLS', 'HTTP/2'] as const) {
    const way = over === 'plain' ? {} : { over }
    assert.equal(await networkSeen({ ...way, first: v1('192.0.2.7') }), '192.0.2.7', over)
    assert.equal(await networkSeen({ ...way, first: v2(192, 0, 2, 8) }), '192.0.2.8', over)
    assert.equal(await networkSeen(way), BALANCER, over)
  }
})

test('without a PROXY header the forwarding headers of a trusted proxy tell', async () => {
  assert.equal(await networkSeen({ headers: { 'X-Forwarded-For': '9.9.9.9, 192.0.2.7' } }), '192.0.2.7')
  assert.equal(await networkSeen({ headers: { Forwarded: 'for="[2001:db8::7]:80"' } }), '2001:db8:0:0::/64')
  assert.equal(await networkSeen({ over: 'HTTP/2', headers: { 'X-Forwarded-For': '192.0.2.7' } }), '192.0.2.7')
  const chain = 'PROXY TCP6 2001:db8:ffff::1 ::1 1 2\r\n'
  assert.equal(await networkSeen({ first: chain, headers: { 'X-Forwarded-For': '192.0.2.7' } }), '192.0.2.7')
})

test('strangers are believed nothing: their headers count for nothing, and PROXY bytes are a bad request', async () => {
  const stranger = '127.0.0.8'
  const headers = { 'X-Forwarded-For': '192.0.2.7', Forwarded: 'for=192.0.2.7' }
  assert.equal(await networkSeen({ from: stranger, headers }), stranger)
  assert.equal(await networkSeen({ first: v1('203.0.113.1'), headers }), '203.0.113.1', 'nor are clients of a balancer')
  for (const first of [v1('192.0.2.7'), v2(192, 0, 2, 7)]) {
    const socket = open({ from: stranger, first })
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 400 /)
    socket.destroy()
  }
  const toTls = connect({ host: '127.0.0.1', port: house.shop.config.httpsPort, localAddress: stranger })
  toTls.end(v1('192.0.2.7'))
  const [answer] = await once(toTls, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 /)
})

test('a proxy that ends TLS gets the cookies and links of TLS', async () => {
  const way = { headers: { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https' } }
  const opened = await ask(way, 'POST', '/sign-in', { email: person.email, password: PASSWORD })
  assert.equal(opened.status, 200, opened.text)
  for (const line of opened.cookies) assert.match(line, /^__Host-.*; Secure$/)
})

test('guesses are counted for the true client, and its neighbours behind the balancer do not feel it', async () => {
  const guess = async (client: string, email: string) =>
    (await ask({ first: v1(client) }, 'POST', '/sign-in', { email, password: 'a wrong password' })).status
  for (let index = 0; index < 20; index++) assert.equal(await guess('198.51.100.1', `${index}@example.com`), 401)
  assert.equal(await guess('198.51.100.1', person.email), 429)
  assert.equal(await guess('198.51.100.2', person.email), 401)
})
