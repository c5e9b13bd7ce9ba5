import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Destination, hostResolver, type HostRules, KEPT_BYTES_MAX } from './hosts.ts'
import { Lru } from './lru.ts'
import { portOf } from '../platform/port-of.ts'

const rules = (base: string, staging: string, platformHost: string): HostRules => ({
  baseUrl: new URL(base),
  stagingUrl: new URL(staging),
  platformHost,
})

const local = rules('http://localhost:4000/v1', 'http://localhost:4001/v1', 'localhost')
const shared = rules('http://api.example.com/v1', 'http://staging.example.com/v1', 'pets.example.net')
const rehearsal = { ...local, sandbox: true }
const secure = rules('https://api.example.com/v1', 'https://staging.example.com/v1', 'pets.example.net')

const production: Destination = { kind: 'production' }
const staging: Destination = { kind: 'staging' }
const unknown: Destination = { kind: 'unknown' }
const project = (slug: string): Destination => ({ kind: 'project', slug })
const domain = (hostname: string): Destination => ({ kind: 'domain', hostname })

const cases: [string, ReturnType<typeof hostResolver>, [string | undefined, Destination][]][] = [
  [
    'two ports of localhost, reached at the first',
    hostResolver(local, 'http', 4000),
    [
      ['localhost:4000', production],
      ['LocalHost:4000', production],
      ['localhost:4001', staging],
      ['localhost', production],
      ['localhost:9999', production],
      ['127.0.0.1', production],
      ['127.0.0.1:4000', production],
      ['[::1]', production],
      ['[::1]:4000', production],
      ['petstore.localhost:4000', project('petstore')],
      ['PETSTORE.localhost', project('petstore')],
      ['a.petstore.localhost:4000', unknown],
      ['shop.example.com', domain('shop.example.com')],
      [undefined, unknown],
      ['', unknown],
      ['a b', unknown],
      ['user@localhost', unknown],
      ['localhost/../x', unknown],
      ['__proto__', unknown],
      ['localhost:4000:4000', unknown],
      ['::1', unknown],
    ],
  ],
  [
    'the sandbox, whose domains have a gateway',
    hostResolver(rehearsal, 'http', 4000),
    [
      ['petstore.localhost:4000', project('petstore')],
      ['www.example.test.localhost:4000', { kind: 'gateway', hostname: 'www.example.test' }],
      ['WWW.Example.Test.localhost', { kind: 'gateway', hostname: 'www.example.test' }],
      ['www.example.test:4000', domain('www.example.test')],
      ['localhost.localhost', project('localhost')],
      ['..localhost', unknown],
    ],
  ],
  [
    'the sandbox over TLS, where a gateway would have no certificate',
    hostResolver(rehearsal, 'https', 4443),
    [['www.example.test.localhost:4443', unknown]],
  ],
  [
    'two ports of localhost, reached at the second',
    hostResolver(local, 'http', 4001),
    [
      ['localhost:4001', staging],
      ['localhost:4000', production],
      ['localhost', staging],
      ['127.0.0.1:4001', staging],
      ['[::1]', staging],
    ],
  ],
  [
    'one port with two names',
    hostResolver(shared, 'http', 80),
    [
      ['api.example.com', production],
      ['API.example.COM', production],
      ['api.example.com.', production],
      ['api.example.com:80', production],
      ['api.example.com:', production],
      ['staging.example.com', staging],
      ['api.example.com:8080', domain('api.example.com')],
      ['10.0.0.7', production],
      ['shop.pets.example.net', project('shop')],
      ['shop.pets.example.net.', project('shop')],
      ['pets.example.net', domain('pets.example.net')],
      ['evilpets.example.net', domain('evilpets.example.net')],
      ['bücher.example', domain('xn--bcher-kva.example')],
    ],
  ],
  [
    'plain HTTP, where both addresses want TLS',
    hostResolver(secure, 'http', 80),
    [
      ['api.example.com', { kind: 'insecure', address: secure.baseUrl }],
      ['API.example.com:80', { kind: 'insecure', address: secure.baseUrl }],
      ['api.example.com:443', { kind: 'insecure', address: secure.baseUrl }],
      ['staging.example.com', { kind: 'insecure', address: secure.stagingUrl }],
      ['shop.pets.example.net', project('shop')],
      ['www.shop.example', domain('www.shop.example')],
    ],
  ],
  [
    'TLS, where the port is the listener’s own',
    hostResolver(secure, 'https', 4443),
    [
      ['api.example.com', production],
      ['api.example.com:4443', production],
      ['staging.example.com', staging],
      ['shop.pets.example.net', project('shop')],
      ['www.shop.example', domain('www.shop.example')],
    ],
  ],
]

for (const [situation, resolve, expectations] of cases) {
  describe(situation, () => {
    for (const [host, destination] of expectations) {
      test(`Host ${JSON.stringify(host)} leads to ${JSON.stringify(destination)}`, () => {
        assert.deepEqual(resolve(host), destination)
        assert.deepEqual(resolve(host), destination, 'and the second time too')
      })
    }
  })
}

test('a hundred thousand hostile hosts leave a bounded number of bytes behind', () => {
  const kept = new Lru<Destination>(KEPT_BYTES_MAX)
  const resolve = hostResolver(local, 'http', 4000, kept)
  for (let stranger = 0; stranger < 100_000; stranger++) {
    const length = [10, 200, 260, 16_000][stranger % 4] as number
    resolve(`${stranger}.${'a'.repeat(length)}`.slice(0, length))
    if (stranger % 1000 === 0) assert.deepEqual(resolve('localhost:4000'), production)
  }
  const bytes = kept.keys().reduce((sum, host) => sum + 2 * host.length, 0)
  assert.ok(bytes > 0 && bytes <= KEPT_BYTES_MAX, `${bytes} bytes`)
})

test('what is longer than any hostname with its port is not kept at all', () => {
  const kept = new Lru<Destination>(KEPT_BYTES_MAX)
  const longest = `${`${'a'.repeat(61)}.`.repeat(4)}abcde`
  const resolve = hostResolver(shared, 'http', 80, kept)
  assert.deepEqual(resolve(`${longest}.:65535`), domain(longest))
  const { weight } = kept
  assert.deepEqual(resolve(`${longest}a.:65535`), unknown)
  assert.deepEqual(resolve('a'.repeat(16_000)), unknown)
  assert.equal(kept.weight, weight)
})

test('an address without a port has the port of its scheme', () => {
  assert.equal(portOf(new URL('http://a.example/v1')), 80)
  assert.equal(portOf(new URL('https://a.example/v1')), 443)
  assert.equal(portOf(new URL('https://a.example:8443/v1')), 8443)
})
