import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { DAY_MS, ManualClock } from '../../src/platform/clock.ts'
import { askHttp, askHttp2, askHttps } from '../deploys/visitor.ts'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'

const NOW = Date.UTC(2026, 10, 15, 9, 30)
let shop: TestPetstore
let ca: string
let host: string
before(async () => {
  const [https] = await freePorts(1)
  host = `localhost:${https}`
  shop = await startTestPetstore({
    clock: new ManualClock(NOW),
    environment: {
      PETSTORE_BASE_URL: `https://${host}/v1`,
      PETSTORE_HTTPS_PORT: String(https),
      PETSTORE_SECURITY_CONTACT: 'security@example.com',
    },
  })
  ca = await shop.petstore.rootPem()
})
after(() => shop?.[Symbol.asyncDispose]())

test('an address that is https says that it stays so, with every answer, and a plain one does not', async () => {
  const { httpsPort, stagingUrl } = shop.config
  for (const ask of [askHttps, askHttp2]) {
    for (const path of ['/v1/pets', '/v1/openapi.json', '/', '/docs/', '/platform/v1/account', '/v1', '/nothing']) {
      const { headers } = await ask(httpsPort, ca, { host, path })
      assert.equal(headers['strict-transport-security'], 'max-age=31536000', path)
    }
  }
  const staging = await askHttp(Number(stagingUrl.port), { host: stagingUrl.host, path: '/v1/pets' })
  assert.equal(staging.headers['strict-transport-security'], undefined)
  const site = await askHttps(httpsPort, ca, { host: 'petstore.localhost' })
  assert.equal(site.headers['strict-transport-security'], undefined, 'sites decide for themselves')
})

test('security.txt names the contact, and expires half a year from now', async () => {
  const path = '/.well-known/security.txt'
  const { status, headers, text } = await askHttps(shop.config.httpsPort, ca, { host, path })
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.deepEqual(text.split('\n'), [
    'Contact: mailto:security@example.com',
    `Expires: ${new Date(NOW + 180 * DAY_MS).toISOString()}`,
    `Canonical: https://${host}${path}`,
    'Preferred-Languages: en',
    '',
  ])
  const head = await askHttps(shop.config.httpsPort, ca, { host, path, method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  const { stagingUrl } = shop.config
  assert.equal((await askHttp(Number(stagingUrl.port), { host: stagingUrl.host, path })).status, 404)
  const read = (contact: string) => readConfig({ PETSTORE_SECURITY_CONTACT: contact }).securityContact
  assert.equal(read('https://example.com/report'), 'https://example.com/report')
  assert.equal(read(''), undefined)
  for (const junk of ['somebody', 'http://example.com', 'a@b.example\nExpires: never']) {
    assert.throws(() => read(junk), /PETSTORE_SECURITY_CONTACT/)
  }
})

test('the admin port answers to its own names only, whatever name leads to it', async () => {
  const { adminPort } = shop.config
  for (const name of ['localhost', `LOCALHOST:${adminPort}`, `127.0.0.1:${adminPort}`, '127.1.2.3', '[::1]:1']) {
    assert.equal((await askHttp(adminPort, { host: name, path: '/livez' })).status, 200, name)
  }
  for (const name of [
    'evil.example',
    `evil.example:${adminPort}`,
    'localhost.evil.example',
    '10.0.0.1',
    '127.0.0.1.evil.example',
  ]) {
    for (const path of ['/metrics', '/livez', '/readyz']) {
      const { status, text } = await askHttp(adminPort, { host: name, path })
      assert.equal(status, 421, name)
      assert.match(text, /answers to localhost and loopback addresses only/)
    }
  }
})
