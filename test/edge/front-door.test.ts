import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { after, before, test } from 'node:test'
import { connect } from 'node:tls'
import { createProject } from '../../src/features/projects/projects.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { askHttp, askHttp2, askHttps } from '../deploys/visitor.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'

let shop: TestPetstore
let ca: string
let ports: { production: number; staging: number; https: number }
before(async () => {
  shop = await startTestPetstore()
  ca = await shop.petstore.rootPem()
  const { baseUrl, stagingUrl, httpsPort } = shop.config
  ports = { production: Number(baseUrl.port), staging: Number(stagingUrl.port), https: httpsPort }
})
after(() => shop?.[Symbol.asyncDispose]())

const SITE = /<title>API reference<\/title>/
const NOBODY = /Nothing is published here/

test('the Host decides over plain HTTP, on either port', async () => {
  const cases: [host: string, port: number, path: string, status: number, body: RegExp][] = [
    [`localhost:${ports.production}`, ports.production, '/v1/openapi.json', 200, /"openapi"/],
    [`localhost:${ports.staging}`, ports.staging, '/v1/openapi.json', 200, /"openapi"/],
    ['127.0.0.1', ports.staging, '/v1/pets', 401, /unauthorized/],
    [`petstore.localhost:${ports.production}`, ports.production, '/', 200, SITE],
    [`PETSTORE.localhost.:${ports.production}`, ports.production, '/', 200, SITE],
    [`petstore.localhost:${ports.staging}`, ports.staging, '/openapi.json', 200, /"openapi"/],
    [`petstore.localhost:${ports.production}`, ports.production, '/v1/pets', 404, /not found/i],
    [`nobody.localhost:${ports.production}`, ports.production, '/', 404, NOBODY],
    [`a.petstore.localhost:${ports.production}`, ports.production, '/', 404, NOBODY],
    ['www.example.com', ports.production, '/', 404, NOBODY],
    ['petstore.localhost.evil.example', ports.production, '/', 404, NOBODY],
  ]
  for (const [host, port, path, status, body] of cases) {
    const page = await askHttp(port, { host, path })
    assert.deepEqual([host, path, page.status], [host, path, status])
    assert.match(page.text, body, host)
  }
})

test('interface, staging, reference and site are there over HTTPS, in HTTP/1.1 and HTTP/2', async () => {
  for (const ask of [askHttps, askHttp2]) {
    const site = await ask(ports.https, ca, { host: `petstore.localhost:${ports.https}` })
    assert.equal(site.status, 200)
    assert.match(site.text, SITE)
    const animals = await ask(ports.https, ca, {
      host: `localhost:${ports.https}`,
      path: '/v1/pets',
      headers: { authorization: `Bearer ${shop.keys.production}` },
    })
    assert.deepEqual([animals.status, animals.text], [200, '[]'])
    const stranger = await ask(ports.https, ca, { host: `localhost:${ports.https}`, path: '/v1/pets' })
    assert.equal(stranger.status, 401)
    const docs = await ask(ports.https, ca, { host: `localhost:${ports.https}`, path: '/docs/' })
    assert.equal(docs.status, 200)
    const missing = await ask(ports.https, ca, { host: `localhost:${ports.https}`, path: '/v1/nothing' })
    assert.equal(missing.status, 404)
  }
})

test('every name has a certificate of its own, the same after each look, and unknown names get an alert', async () => {
  const first = await certificateOf('petstore.localhost')
  assert.equal(new X509Certificate(first).subjectAltName, 'DNS:petstore.localhost')
  assert.equal(await certificateOf('petstore.localhost'), first)
  assert.equal(new X509Certificate(await certificateOf('localhost')).subjectAltName, 'DNS:localhost')
  for (const name of ['nobody.localhost', 'a.petstore.localhost', 'example.com']) {
    await assert.rejects(certificateOf(name), { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' }, name)
  }
  const { issued } = await shop.petstore.storage.read
    .selectFrom('certificates')
    .select((eb) => eb.fn.countAll<number>().as('issued'))
    .executeTakeFirstOrThrow()
  assert.equal(issued, 2, 'strangers cause no certificates')
})

test('a request for another host than the connection is for is misdirected', async () => {
  const page = await askHttp2(ports.https, ca, { host: 'petstore.localhost' })
  assert.equal(page.status, 200)
  const { httpsPort } = shop.config
  const other = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: httpsPort, servername: 'petstore.localhost', ca })
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => (answer += text))
    socket.on('end', () => resolve(answer)).on('error', reject)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  })
  assert.match(other, /^HTTP\/1\.1 421 /)
})

test('the challenge path is answered for every host before anything else', async () => {
  const path = '/.well-known/acme-challenge/unknown-token'
  for (const host of [`petstore.localhost:${ports.production}`, 'www.example.com', `localhost:${ports.production}`]) {
    const page = await askHttp(ports.production, { host, path })
    assert.deepEqual([page.status, page.text], [404, 'No certificate order with this token is under way.\n'])
  }
})

test('the reference is at the production address only, under a policy that names both addresses', async () => {
  const host = `localhost:${ports.production}`
  const bare = await askHttp(ports.production, { host, path: '/docs/animals' })
  assert.deepEqual([bare.status, bare.headers.location], [308, '/docs/animals/'])
  const page = await askHttp(ports.production, { host, path: '/docs/animals/' })
  assert.equal(page.status, 200)
  const policy = page.headers['content-security-policy'] as string
  assert.match(policy, /default-src 'none'/)
  const origins = `http://localhost:${ports.production} http://localhost:${ports.staging}`
  assert.ok(policy.includes(`connect-src 'self' ${origins};`), policy)
  for (const name of ['reference.js', 'reference.css', 'openapi.json', 'favicon.svg']) {
    const path = `/docs/animals/${name}`
    const file = await askHttp(ports.production, { host, path, headers: { 'accept-encoding': 'br' } })
    assert.equal(file.status, 200, name)
    assert.equal(file.headers['x-content-type-options'], 'nosniff')
  }
  assert.equal((await askHttp(ports.production, { host, path: '/docs/animals/nothing' })).status, 404)
  assert.equal((await askHttp(ports.production, { host, path: '/docsx' })).status, 404)
  for (const path of ['/docs/', '/docs/animals/']) {
    assert.equal((await askHttp(ports.staging, { host: `localhost:${ports.staging}`, path })).status, 404)
  }
})

test('a project without a deploy says so, and is published by itself as soon as the service hears of it', async () => {
  const { storage, changes } = shop.petstore
  // As the operator's command does it, in another process.
  await createProject({ storage, clock: systemClock }, { slug: 'fresh' })
  const host = `fresh.localhost:${ports.production}`
  const first = await askHttp(ports.production, { host })
  assert.ok(first.status === 200 || /Nothing has been deployed yet/.test(first.text))
  await until('it is published', async () => {
    await changes.catchUp()
    return (await askHttp(ports.production, { host })).status === 200
  })
  assert.match((await askHttp(ports.production, { host })).text, SITE)
})

function certificateOf(servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: ports.https, servername, ca }, () => {
      const encoded = socket.getPeerCertificate().raw.toString('base64')
      resolve(`-----BEGIN CERTIFICATE-----\n${encoded}\n-----END CERTIFICATE-----`)
      socket.end()
    })
    socket.on('error', reject)
  })
}
