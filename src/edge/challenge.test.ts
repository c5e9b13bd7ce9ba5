import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { answerChallenge, CHALLENGE_PATH } from './challenge.ts'

const asked: string[] = []
let origin: string
let server: Server

before(async () => {
  server = createServer(async (request, response) => {
    const isAnswered = await answerChallenge(request, response, 'shop.example', async (host, token) => {
      asked.push(`${host} ${token}`)
      if (token === 'broken') throw new Error('no storage')
      return token === 'good-Token_1' ? 'good-Token_1.thumbprint' : undefined
    })
    if (!isAnswered) response.end('site')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

test('the key authorisation of a running order is answered as plain bytes', async () => {
  const response = await fetch(`${origin}${CHALLENGE_PATH}good-Token_1`)
  assert.equal(response.status, 200)
  assert.equal(await response.text(), 'good-Token_1.thumbprint')
  assert.equal(response.headers.get('cache-control'), 'no-store')
})

test('everything else below the challenge path is a 404 of the edge', async () => {
  for (const token of ['', 'unknown', 'a/b', '..;', 'a%20b', 'x'.repeat(200)]) {
    const response = await fetch(`${origin}${CHALLENGE_PATH}${token}`)
    assert.equal(response.status, 404, token)
  }
  assert.ok(
    asked.every((question) => /^shop\.example [\w-]+$/.test(question)),
    'only tokens reach the look-up',
  )
})

test('storage trouble is a 503, so that the certificate authority tries again', async () => {
  assert.equal((await fetch(`${origin}${CHALLENGE_PATH}broken`)).status, 503)
})

test('a challenge can only be read', async () => {
  const response = await fetch(`${origin}${CHALLENGE_PATH}good-Token_1`, { method: 'POST', body: 'x' })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'GET, HEAD')
})

test('other paths are left to the site', async () => {
  for (const path of ['/', '/.well-known/acme-challenge', '/.well-known/security.txt']) {
    assert.equal(await (await fetch(origin + path)).text(), 'site', path)
  }
})
