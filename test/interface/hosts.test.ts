import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freePorts } from '../harness/free-ports.ts'
import { converse } from './raw-http.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

let shop: Shop
let tenant: Tenant
let production: number
let staging: number

before(async () => {
  shop = await openShop()
  tenant = await shop.tenant()
  await tenant.post('/pets', { name: 'Production', categoryId: 1 })
  await tenant.post('/pets', { name: 'Staging', categoryId: 1 }, { environment: 'staging' })
  production = Number(shop.service.config.baseUrl.port)
  staging = Number(shop.service.config.stagingUrl.port)
})
after(() => shop[Symbol.asyncDispose]())

function listPets(host: string, key: string): string {
  return `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

/** Which environment answers at a port to this Host header: its key is the one that is accepted. */
async function environmentAt(port: number, host: string): Promise<string> {
  for (const environment of ['production', 'staging'] as const) {
    const { answers } = await converse(port, [listPets(host, tenant.keys[environment].key)], 1)
    const [answer] = answers
    if (answer?.status === 404) {
      assert.match(
        answer.headers['content-type'] ?? '',
        /^text\/(?:plain|html); charset=utf-8$/,
        'a page, not the interface',
      )
      return 'nothing'
    }
    if (answer?.status === 200) {
      assert.match(answer.body, new RegExp(environment, 'i'))
      return environment
    }
    assert.equal(answer?.status, 401)
  }
  return 'neither'
}

describe('the Host header chooses the address', () => {
  const at = (port: 'production' | 'staging', host: string, expected: string) =>
    test(`${host || 'an empty Host'} at the port of ${port}: ${expected}`, async () => {
      const spelled = host.replace('{production}', String(production)).replace('{staging}', String(staging))
      assert.equal(await environmentAt(port === 'production' ? production : staging, spelled), expected)
    })

  at('production', 'localhost:{production}', 'production')
  at('staging', 'localhost:{staging}', 'staging')
  at('production', 'localhost:{staging}', 'staging')
  at('staging', 'localhost:{production}', 'production')
  at('production', 'LOCALHOST:{production}', 'production')
  for (const port of ['production', 'staging'] as const) {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.0.0.1:{production}',
      '127.0.0.1:{staging}',
      '10.1.2.3',
      '[::1]',
      '[::1]:{staging}',
      'localhost:1',
    ]) {
      at(port, host, port)
    }
    for (const host of [
      'example.com',
      'example.com:{production}',
      'nobody.localhost:{production}',
      'a.b.localhost',
      'localhost.example.com',
      '',
      'localhost@evil',
      'local host',
      '__proto__',
    ]) {
      at(port, host, 'nothing')
    }
  }
})

test('two addresses on one port are told apart by their names, and an IP literal means production', async () => {
  const [port] = (await freePorts(1)) as [number]
  await using shared = await openShop({
    environment: {
      PETSTORE_BASE_URL: `http://api.test:${port}/v1`,
      PETSTORE_STAGING_URL: `http://staging.test:${port}/v1`,
    },
  })
  const { keys } = await shared.tenant()
  const expected = {
    'api.test': 'production',
    'API.TEST': 'production',
    'staging.test': 'staging',
    '127.0.0.1': 'production',
  } as const
  for (const [name, environment] of Object.entries(expected)) {
    const { answers } = await converse(port, [listPets(`${name}:${port}`, keys[environment].key)], 1)
    assert.equal(answers[0]?.status, 200, name)
  }
  const { answers } = await converse(port, ['GET /v1/openapi.json HTTP/1.1\r\nHost: other.test\r\n\r\n'], 1)
  assert.equal(answers[0]?.status, 404)
})
