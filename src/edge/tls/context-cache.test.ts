import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createInternalCa, createRoot } from '../../features/certificates/authority/internal-ca.ts'
import { ManualClock, systemClock } from '../../platform/clock.ts'
import { ContextCache, type ContextCacheNeeds, type HostCertificate } from './context-cache.ts'

let pair: { key: string; cert: string }
before(async () => {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { privateKeyPem, chainPem } = await ca.issue(['shop.example'])
  pair = { key: privateKeyPem, cert: chainPem }
})

function startCache(options: Partial<ContextCacheNeeds> = {}) {
  const clock = new ManualClock(0)
  const lookups: string[] = []
  const served = new Map<string, HostCertificate>()
  const cache = new ContextCache({
    clock,
    certificateFor: async (host) => {
      lookups.push(host)
      return served.get(host)
    },
    ...options,
  })
  return { cache, clock, lookups, serve: (host: string, id = host) => served.set(host, { ...pair, id }), served }
}

test('a host asked for by many at once is looked up once, and then known without a promise', async () => {
  const { cache, lookups, serve } = startCache()
  serve('shop.example')
  const contexts = await Promise.all(Array.from({ length: 100 }, () => cache.get('shop.example')))
  assert.equal(new Set(contexts).size, 1)
  assert.equal(cache.get('shop.example'), contexts[0])
  assert.equal(lookups.length, 1)
})

test('a certificate that has ended is not shown any more, as after a restart', async () => {
  const { cache, clock, lookups, served } = startCache()
  served.set('shop.example', { ...pair, id: 'old', notAfter: 60_000 })
  assert.ok(await cache.get('shop.example'))
  clock.advance(59_999)
  assert.ok(cache.get('shop.example'))
  served.clear()
  clock.advance(1)
  assert.equal(await cache.get('shop.example'), undefined)
  assert.deepEqual([cache.size, lookups.length], [0, 2])
})

test('an unknown host is asked about once in its short life', async () => {
  const { cache, clock, lookups, serve } = startCache({ unknownLifeMs: 5_000 })
  assert.equal(await cache.get('shop.example'), undefined)
  for (let at = 0; at < 1000; at++) assert.equal(cache.get('shop.example'), undefined)
  assert.equal(lookups.length, 1)
  serve('shop.example')
  clock.advance(5_000)
  assert.ok(await cache.get('shop.example'))
})

test('a host that was dropped is asked about again at once, known or unknown', async () => {
  const { cache, lookups, serve, served } = startCache()
  assert.equal(await cache.get('shop.example'), undefined)
  serve('shop.example')
  cache.drop('shop.example')
  assert.ok(await cache.get('shop.example'))
  served.clear()
  cache.drop('shop.example')
  assert.equal(await cache.get('shop.example'), undefined)
  assert.equal(lookups.length, 3)
})

test('what is dropped while it is looked up is not kept', async () => {
  const answers: ((certificate: HostCertificate | undefined) => void)[] = []
  const { cache } = startCache({ certificateFor: () => new Promise((resolve) => answers.push(resolve)) })
  const first = cache.get('shop.example')
  cache.drop('shop.example')
  const second = cache.get('shop.example')
  answers[1]!(undefined)
  assert.equal(await second, undefined)
  answers[0]!({ ...pair, id: 'old' })
  assert.ok(await first)
  assert.equal(cache.get('shop.example'), undefined, 'the removal is what counts')
  assert.equal(cache.size, 0)
})

test('hosts and unknown hosts are bounded', async () => {
  const { cache, lookups, serve } = startCache({ hostsMax: 10, unknownHostsMax: 10 })
  for (let at = 0; at < 50; at++) {
    serve(`known${at}.example`)
    await cache.get(`known${at}.example`)
    await cache.get(`unknown${at}.example`)
  }
  assert.equal(cache.size, 10)
  lookups.length = 0
  for (let at = 49; at >= 0; at--) await cache.get(`unknown${at}.example`)
  assert.equal(lookups.length, 40)
})

test('hosts with one certificate share its context until it is renewed', async () => {
  const { cache, serve } = startCache()
  serve('a.example', 'wildcard')
  serve('b.example', 'wildcard')
  const first = await cache.get('a.example')
  assert.equal(await cache.get('b.example'), first)
  serve('a.example', 'renewed')
  cache.drop('a.example')
  assert.notEqual(await cache.get('a.example'), first)
  assert.equal(cache.get('b.example'), first)
})

test('a context is made anew after its life, so that its ticket keys change, and serves until then', async () => {
  const { cache, clock, lookups, serve } = startCache({ lifeMs: 1_000 })
  serve('a.example', 'wildcard')
  serve('b.example', 'wildcard')
  const first = await cache.get('a.example')
  clock.advance(600)
  await cache.get('b.example')
  clock.advance(400)
  assert.equal(cache.get('a.example'), first)
  await settled()
  const second = cache.get('a.example')
  assert.notEqual(second, first)
  assert.equal(cache.get('b.example'), first, 'no older than its sibling')
  await settled()
  assert.equal(cache.get('b.example'), second)
  assert.deepEqual(lookups, ['a.example', 'b.example', 'a.example', 'b.example'])
})

test('a stale context that nobody has any more is forgotten', async () => {
  const { cache, clock, serve, served } = startCache({ lifeMs: 1_000 })
  serve('shop.example')
  await cache.get('shop.example')
  served.clear()
  clock.advance(1_000)
  cache.get('shop.example')
  await settled()
  assert.equal(cache.get('shop.example'), undefined)
})

test('a failed look-up is not remembered, and never ends a context that serves', async () => {
  let isBroken = true
  const { cache, clock } = startCache({
    lifeMs: 1_000,
    certificateFor: async () => {
      if (isBroken) throw new Error('no storage')
      return { ...pair, id: 'shop' }
    },
  })
  await assert.rejects(async () => cache.get('shop.example'), /no storage/)
  isBroken = false
  const context = await cache.get('shop.example')
  isBroken = true
  clock.advance(5_000)
  assert.equal(cache.get('shop.example'), context)
  await settled()
  assert.equal(cache.get('shop.example'), context)
})

test('a certificate that cannot be used is a failed look-up', async () => {
  const { cache } = startCache({ certificateFor: async () => ({ key: 'no key', cert: 'no certificate', id: 'x' }) })
  await assert.rejects(async () => cache.get('shop.example'))
  assert.equal(cache.size, 0)
})

test('a flood of different names runs into the limit of look-ups, not into the storage', async () => {
  let underWay = 0
  const { cache } = startCache({
    lookupsMax: 5,
    certificateFor: () => {
      underWay++
      return new Promise(() => {})
    },
  })
  const outcomes = Array.from({ length: 100 }, async (_, at) => cache.get(`host${at}.example`))
  for (const outcome of outcomes.slice(5)) await assert.rejects(outcome, /Too many/)
  assert.equal(underWay, 5)
})

const settled = () => new Promise((resolve) => setImmediate(resolve))
