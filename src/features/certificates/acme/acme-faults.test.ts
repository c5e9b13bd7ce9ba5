import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAcmeProxy, type ProxiedRequest, type ProxyFault } from '../../../../test/harness/acme-proxy.ts'
import {
  beginOrder,
  createMemoryAccounts,
  createSkippingClock,
  createTestIssuer,
  finishOrder,
  startChallengeResponder,
} from '../../../../test/harness/acme.ts'
import { startPebble } from '../../../../test/harness/pebble.ts'
import { HOUR_MS, SECOND_MS } from '../../../platform/clock.ts'
import type { IssuanceOrder } from '../issuer.ts'

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const responder = resources.use(await startChallengeResponder())
const pebble = resources.use(await startPebble(responder))
const PROBLEM = { 'content-type': 'application/problem+json' }

test('with half of all good nonces refused and half of the authorisations reused, every order is issued', async () => {
  const environment = { PEBBLE_WFE_NONCEREJECT: '50', PEBBLE_AUTHZREUSE: '50' }
  await using noisy = await startPebble({ ...responder, environment })
  await using proxy = await startAcmeProxy({ upstream: noisy })
  const issuer = createTestIssuer(proxy)
  const names = Array.from({ length: 24 }, (_, index) => `noise-${index % 4}.example.test`)
  const ends = await inGroups(4, names, async (name) => {
    const { order } = await beginOrder(issuer, [name])
    return finishOrder({ issuer, responder }, order)
  })
  assert.deepEqual(
    ends.map(({ result }) => result),
    names.map(() => 'issued'),
  )
  assertFreshNonces(proxy.requests)
  assert.ok(
    proxy.requests.some(({ status }) => status === 400),
    'no nonce was refused',
  )
})

test('through 503, 429 and cut connections every order is issued, with pauses kept and fresh nonces', async () => {
  const clock = createSkippingClock()
  const random = seededRandom(20_261_115)
  let quietUntil = 0
  const early: string[] = []
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    fault(request) {
      if (clock.now() < quietUntil) early.push(`${request.method} ${request.path}`)
      const dice = random()
      if (dice < 0.1) return { answer: { status: 503 } }
      if (dice < 0.2) return quietFor(Math.ceil(random() * 8), 503)
      if (dice < 0.3) return quietFor(Math.ceil(random() * 60), 429)
      return { cut: dice < 0.35 }
    },
  })
  const issuer = createTestIssuer(proxy, { clock })
  for (let index = 0; index < 15; index++) {
    const { order } = await beginOrder(issuer, [`stormy-${index}.example.test`])
    const end = await finishOrder({ issuer, responder, clock, stallsMax: Infinity }, order)
    assert.equal(end.result, 'issued', JSON.stringify(end))
  }
  assert.deepEqual(early, [])
  assertFreshNonces(proxy.requests)
  const count = (matches: (fault: ProxyFault) => boolean | undefined) =>
    proxy.requests.filter(({ fault }) => matches(fault)).length
  assert.ok(count(({ answer }) => answer?.status === 503) > 10)
  assert.ok(count(({ answer }) => answer?.status === 429) > 5)
  assert.ok(count(({ cut }) => cut) > 2)

  function quietFor(seconds: number, status: number): ProxyFault {
    quietUntil = clock.now() + seconds * SECOND_MS
    return refusal(status, status === 429 ? 'rateLimited' : 'serverInternal', { 'retry-after': String(seconds) })
  }
})

test('a CA that restarts with no memory in mid-order gets one registration and one new order', async () => {
  await using forgetful = await startPebble(responder)
  await using proxy = await startAcmeProxy({ upstream: forgetful })
  const issuer = createTestIssuer(proxy)
  for (const step of ['planned', 'challenged', 'finalizing'] as const) {
    const { order } = await beginOrder(issuer, [`amnesia-${step}.example.test`])
    const stored = await reach(issuer, order, step)
    const registrations = count(proxy.requests, '/sign-me-up')
    await forgetful.restart()
    const end = await finishOrder({ issuer, responder }, stored)
    assert.equal(end.result, 'issued', `${step}: ${JSON.stringify(end)}`)
    assert.equal(end.order.restarts, step === 'planned' ? 0 : 1, step)
    assert.equal(count(proxy.requests, '/sign-me-up') - registrations, 1, step)
  }
})

test('a CA that denies the account for ever is asked to register it once per attempt', async () => {
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    fault: ({ header }) => (header?.kid ? refusal(400, 'accountDoesNotExist') : {}),
  })
  const issuer = createTestIssuer(proxy)
  const { order } = await beginOrder(issuer, ['denied.example.test'])
  const outcome = await issuer.advance(order)
  assert.ok(outcome.result === 'stalled')
  assert.equal(outcome.problem.code, 'operator_needed')
  assert.equal(count(proxy.requests, '/sign-me-up'), 2)
})

test('instances that start at once, and requests that fail at once, end with one account', async () => {
  await using proxy = await startAcmeProxy({ upstream: pebble })
  const accounts = createMemoryAccounts()
  const issuers = [0, 1].map(() => createTestIssuer(proxy, { accounts }))
  const ends = await inGroups(6, [0, 1, 2, 3, 4, 5], async (index) => {
    const issuer = issuers[index % 2]!
    const { order } = await beginOrder(issuer, [`at-once-${index}.example.test`])
    return finishOrder({ issuer, responder }, order)
  })
  assert.ok(ends.every(({ result }) => result === 'issued'))
  assert.equal(new Set(proxy.requests.flatMap(({ header }) => header?.kid ?? [])).size, 1)
  assert.ok(count(proxy.requests, '/sign-me-up') <= 2)
})

test('a long rate limit is handed to the caller at once, with its duration and the order untouched', async () => {
  const clock = createSkippingClock()
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    fault: ({ path }) => (path === '/order-plz' ? refusal(429, 'rateLimited', { 'retry-after': '7200' }) : {}),
  })
  const issuer = createTestIssuer(proxy, { clock })
  const { order } = await beginOrder(issuer, ['limited.example.test'])
  const outcome = await issuer.advance(order)
  assert.ok(outcome.result === 'stalled')
  assert.deepEqual([outcome.problem.code, outcome.problem.retryAfterMs], ['rate_limited', 2 * HOUR_MS])
  assert.equal(outcome.order, order)
  assert.deepEqual(clock.sleptMs, [])
  assert.equal(count(proxy.requests, '/order-plz'), 1)
})

test('an order that the CA sends back and forth is asked about with pauses, until it expires', async () => {
  const clock = createSkippingClock()
  let stuck = false
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    fault(request) {
      stuck ||= request.path.startsWith('/finalize-order/')
      if (request.path.startsWith('/finalize-order/')) return refusal(403, 'orderNotReady')
      if (!stuck || !request.path.startsWith('/my-order/')) return {}
      const body = JSON.stringify({ status: 'pending', authorizations: [], finalize: 'https://127.0.0.1/f' })
      return { answer: { status: 200, headers: { 'retry-after': '3600' }, body } }
    },
  })
  const issuer = createTestIssuer(proxy, { clock })
  const { order } = await beginOrder(issuer, ['stuck.example.test'])
  const end = await finishOrder({ issuer, responder, clock }, order)
  assert.equal(end.result, 'waiting')
  assert.ok(proxy.requests.length < 200, `${proxy.requests.length} requests in half an hour`)
  await clock.sleep(25 * HOUR_MS)
  const late = await finishOrder({ issuer, responder, clock }, end.order)
  assert.ok(late.result === 'failed')
  assert.equal(late.problem.code, 'order_expired')
})

test('what the CA says about one name of several reaches the caller with that name', async () => {
  const body = JSON.stringify({
    type: 'urn:ietf:params:acme:error:malformed',
    detail: 'some names were rejected',
    subproblems: [
      {
        type: 'urn:ietf:params:acme:error:caa',
        detail: 'CAA record for b.example.test prevents issuance',
        identifier: { type: 'dns', value: 'b.example.test' },
      },
    ],
  })
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    fault: ({ path }) => (path === '/order-plz' ? { answer: { status: 403, headers: PROBLEM, body } } : {}),
  })
  const issuer = createTestIssuer(proxy)
  const { order } = await beginOrder(issuer, ['a.example.test', 'b.example.test'])
  const outcome = await issuer.advance(order)
  assert.ok(outcome.result === 'failed')
  assert.deepEqual([outcome.problem.code, outcome.problem.hostname], ['caa_forbids', 'b.example.test'])
})

function assertFreshNonces(requests: readonly ProxiedRequest[]): void {
  const sent = requests.flatMap(({ header }) => header?.nonce ?? [])
  assert.ok(sent.length > 50)
  assert.equal(new Set(sent).size, sent.length)
}

const count = (requests: readonly ProxiedRequest[], path: string) =>
  requests.filter((request) => request.path === path).length

const refusal = (status: number, type: string, headers: Record<string, string> = {}): ProxyFault => ({
  answer: {
    status,
    headers: { ...PROBLEM, ...headers },
    body: JSON.stringify({ type: `urn:ietf:params:acme:error:${type}` }),
  },
})

async function reach(issuer: ReturnType<typeof createTestIssuer>, order: IssuanceOrder, step: IssuanceOrder['step']) {
  let current = order
  for (let tries = 0; current.step !== step; tries++) {
    assert.ok(tries < 500)
    responder.serve(current.answers)
    current = (await issuer.advance(current)).order
  }
  return current
}

async function inGroups<Item, Result>(size: number, items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += size) {
    results.push(...(await Promise.all(items.slice(at, at + size).map(work))))
  }
  return results
}

/** A small linear congruential generator: the same storm in every run. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}
