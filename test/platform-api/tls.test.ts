import assert from 'node:assert/strict'
import { connect, type ClientHttp2Session } from 'node:http2'
import { request } from 'node:https'
import { after, before, test } from 'node:test'
import { expect, type House, openHouse, PASSWORD } from './house.ts'

let house: House
let origin: string
before(async () => {
  house = await openHouse()
  origin = `https://localhost:${house.shop.config.httpsPort}`
})
after(() => house?.[Symbol.asyncDispose]())

const HOST_COOKIE = /^__Host-petstore_(?:session|device)=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/

test('over TLS the cookies carry __Host-, and a session opened over plain HTTP is none there', async () => {
  const { email, browser } = await house.person()
  const signedIn = await overTls('POST', '/sign-in', { Origin: origin }, { email, password: PASSWORD })
  expect(200, signedIn)
  assert.equal(signedIn.cookies.length, 2)
  for (const line of signedIn.cookies) assert.match(line, HOST_COOKIE)

  const [session = ''] = signedIn.cookies.map((line) => line.split(';', 1)[0] as string)
  expect(200, await overTls('GET', '/sessions', { Cookie: session }))
  const plain = `petstore_session=${browser.cookies.get('petstore_session')}`
  expect(401, await overTls('GET', '/sessions', { Cookie: plain }))
  const foreign = { Cookie: session, Origin: 'https://evil.example' }
  expect(403, await overTls('POST', '/projects', foreign, { slug: 'planted' }))
  expect(201, await overTls('POST', '/projects', { Cookie: session, Origin: origin }, { slug: 'over-tls' }))
})

test('HTTP/2 changes nothing about it', async () => {
  const { email } = await house.person()
  const session = connect(origin, { rejectUnauthorized: false })
  try {
    const signedIn = await overH2(session, 'POST', '/sign-in', { origin }, { email, password: PASSWORD })
    expect(200, signedIn)
    assert.equal(signedIn.cookies.length, 2)
    for (const line of signedIn.cookies) assert.match(line, HOST_COOKIE)
    const [cookie = ''] = signedIn.cookies.map((line) => line.split(';', 1)[0] as string)
    expect(201, await overH2(session, 'POST', '/projects', { origin, cookie }, { slug: 'over-h2' }))
    const foreign = { origin: 'https://evil.example', cookie }
    expect(403, await overH2(session, 'POST', '/projects', foreign, { slug: 'planted' }))
    expect(401, await overH2(session, 'GET', '/projects', {}))
  } finally {
    session.close()
  }
})

interface Answer {
  status: number
  text: string
  json: unknown
  cookies: string[]
}

function overTls(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const { httpsPort } = house.shop.config
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: httpsPort,
        servername: 'localhost',
        rejectUnauthorized: false,
        agent: false,
        method,
        path: `/platform/v1${path}`,
        headers: { Host: `localhost:${httpsPort}`, 'Content-Type': 'application/json', ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve(answerOf(response.statusCode as number, text, response.headers['set-cookie'])))
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

function overH2(
  session: ClientHttp2Session,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type = body ? { 'content-type': 'application/json' } : {}
    const stream = session.request({ ':method': method, ':path': `/platform/v1${path}`, ...type, ...headers })
    let status = 0
    let cookies: string[] | undefined
    let text = ''
    stream.on('response', (received) => {
      status = received[':status'] as number
      cookies = received['set-cookie']
    })
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    stream.on('end', () => resolve(answerOf(status, text, cookies)))
    stream.on('error', reject)
    stream.end(body ? JSON.stringify(body) : undefined)
  })
}

const answerOf = (status: number, text: string, cookies: string[] = []): Answer => ({
  status,
  text,
  json: text === '' ? undefined : JSON.parse(text),
  cookies,
})
