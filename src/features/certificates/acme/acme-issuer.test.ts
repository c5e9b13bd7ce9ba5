import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { after, test } from 'node:test'
import {
  beginOrder,
  createMemoryAccounts,
  createTestIssuer,
  finishOrder,
  startChallengeResponder,
} from '../../../../test/harness/acme.ts'
import { startAcmeProxy } from '../../../../test/harness/acme-proxy.ts'
import { startTestDns, txt, zone } from '../../../../test/harness/dns.ts'
import { startPebble } from '../../../../test/harness/pebble.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { splitChain } from '../authority/split-chain.ts'
import { ISSUANCE_STEPS, type Advance, type IssuanceOrder, type Issuer } from '../issuer.ts'
import type { OrderEnd } from '../order/run-order.ts'

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const responder = resources.use(await startChallengeResponder())
const pebble = resources.use(
  await startPebble({ ...responder, certificateValidityMs: 90 * DAY_MS, environment: { PEBBLE_ALTERNATE_ROOTS: '1' } }),
)
const accounts = createMemoryAccounts()
const issuer = createTestIssuer(pebble, { accounts, contactEmail: 'operator@example.com' })

for (const type of ['http-01', 'tls-alpn-01'] as const) {
  test(`a certificate is issued by ${type}, for our key and for exactly the names asked for`, async () => {
    const names = [`${type}.example.test`, `www.${type}.example.test`]
    const { order, privateKeyPem } = await beginOrder(issuer, names, { type })
    const { chain } = assertIssued(await finishOrder({ issuer, responder }, order))
    for (const name of names) assert.ok(responder.seen.some((seen) => seen.startsWith(`${type} ${name}`)))
    const [leaf, intermediate] = splitChain(chain.chainPem)
    assert.ok(leaf?.checkPrivateKey(createPrivateKey(privateKeyPem)))
    assert.ok(intermediate?.checkIssued(new X509Certificate(await pebble.issuingRootPem())))
    assert.deepEqual(chain.leaf.names.toSorted(), names.toSorted())
    assert.ok(Math.abs(chain.leaf.notAfter - chain.leaf.notBefore - 90 * DAY_MS) < 5000)
  })
}

test('an order goes on from its stored record at every step, on another instance', async () => {
  for (const step of ISSUANCE_STEPS) {
    const first = createTestIssuer(pebble, { accounts })
    const { order, privateKeyPem } = await beginOrder(first, [`resume-${step}.example.test`])
    const record = JSON.stringify(await reach(first, order, step))
    const second = createTestIssuer(pebble, { accounts })
    const { chain } = assertIssued(await finishOrder({ issuer: second, responder }, JSON.parse(record)))
    assert.ok(splitChain(chain.chainPem)[0]?.checkPrivateKey(createPrivateKey(privateKeyPem)), step)
  }
})

test('a step whose result was never stored is done again without harm', async () => {
  for (const step of ISSUANCE_STEPS) {
    const { order } = await beginOrder(issuer, [`again-${step}.example.test`])
    const before = await reach(issuer, order, step)
    await settle(issuer, before)
    const { order: done } = assertIssued(await finishOrder({ issuer, responder }, before))
    assert.equal(done.restarts, 0, step)
    if (step !== 'planned') assert.equal(done.orderUrl, before.orderUrl, step)
  }
})

test('a wrong answer ends the order with the hostname and what to do', async () => {
  const { order } = await beginOrder(issuer, ['nobody-answers.example.test'], { type: 'http-01' })
  const end = await finishOrder({ issuer, responder: { serve: () => {} } }, order)
  assert.ok(end.result === 'failed')
  assert.equal(end.problem.code, 'challenge_wrong')
  assert.equal(end.problem.hostname, 'nobody-answers.example.test')
  assert.match(end.problem.message, /Re-verify/)
  assert.ok(end.problem.detail)
})

test('an answer that is not found in DNS is told by its place there, and not by where the name leads', async () => {
  const name = 'elsewhere.example.test'
  await using dns = await startTestDns([zone('example.test', [txt(`_acme-challenge.${name}`, 'an older answer')])])
  const { address, port } = dns.resolvers[0]!
  await using looking = await startPebble({ ...responder, dnsServer: `${address}:${port}` })
  const inDns = createTestIssuer(looking)
  const { order } = await beginOrder(inDns, [name], { type: 'dns-01' })
  const end = await finishOrder({ issuer: inDns, responder: { serve: () => {} } }, order)
  assert.ok(end.result === 'failed')
  assert.equal(end.problem.code, 'challenge_wrong')
  assert.match(end.problem.message, /at _acme-challenge\.elsewhere\.example\.test\. .* choose Re-verify/)
  assert.doesNotMatch(end.problem.message, /points here|proxy/)
})

test('of the chains that a CA offers the preferred one is taken, else its own choice', async () => {
  const roots = await Promise.all([0, 1].map(async (index) => new X509Certificate(await pebble.issuingRootPem(index))))
  const wishes = [...roots.map((root) => /^CN=(.+)$/m.exec(root.subject)?.[1]), 'Root of nobody']
  const ends: (X509Certificate | undefined)[] = []
  for (const [index, preferredChain] of wishes.entries()) {
    const choosy = createTestIssuer(pebble, { accounts, preferredChain })
    const { order } = await beginOrder(choosy, [`chain-${index}.example.test`])
    const { chain } = assertIssued(await finishOrder({ issuer: choosy, responder }, order))
    ends.push(splitChain(chain.chainPem).at(-1))
  }
  const leadTo = ends.map((end) =>
    roots.findIndex((root) => end && end.checkIssued(root) && end.verify(root.publicKey)),
  )
  assert.deepEqual(leadTo, [0, 1, 0])
})

test('orders name the profile where the CA offers it, and do without where it does not or will not', async () => {
  const told: string[] = []
  let isRefused = false
  const body = JSON.stringify({ type: 'urn:ietf:params:acme:error:invalidProfile' })
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    profiles: { shortlived: 'https://ca.example/profiles' },
    fault: ({ path, payload }) => (path === '/order-plz' && isRefused && payload?.profile ? refused(body) : {}),
  })
  const ordered = async (profile: string) => {
    const seen = proxy.requests.length
    const onUnknownProfile = (name: string, offered: readonly string[]) => void told.push(`${name}: ${offered.join()}`)
    const wishing = createTestIssuer(proxy, { profile, onUnknownProfile })
    const { order } = await beginOrder(wishing, [`profile-${seen}.example.test`])
    assertIssued(await finishOrder({ issuer: wishing, responder }, order))
    const orders = proxy.requests.slice(seen).filter(({ path }) => path === '/order-plz')
    return orders.map(({ payload }) => payload?.profile)
  }
  assert.deepEqual(await ordered('shortlived'), ['shortlived'])
  assert.deepEqual(await ordered('classic'), [undefined])
  assert.deepEqual(told, ['classic: shortlived'])
  isRefused = true
  assert.deepEqual(await ordered('shortlived'), ['shortlived', undefined])
})

const refused = (body: string) => ({
  answer: { status: 400, headers: { 'content-type': 'application/problem+json' }, body },
})

test('a revoked certificate is revoked at the CA, and revoking it again is no error', async () => {
  const { order } = await beginOrder(issuer, ['revoked.example.test'])
  const { chain } = assertIssued(await finishOrder({ issuer, responder }, order))
  assert.equal(await pebble.certificateStatus(chain.leaf.serial), 'Valid')
  assert.deepEqual(await issuer.revoke(chain.chainPem, 'cessationOfOperation'), { revoked: true })
  assert.equal(await pebble.certificateStatus(chain.leaf.serial), 'Revoked')
  assert.deepEqual(await issuer.revoke(chain.chainPem, 'cessationOfOperation'), { revoked: true })
})

test('a CA that wants an external account gets its binding, or the operator is told', async () => {
  const kid = 'kid-1'
  const hmacKey = Buffer.alloc(32, 7).toString('base64url')
  await using bound = await startPebble({ ...responder, externalAccounts: { [kid]: hmacKey } })

  const without = createTestIssuer(bound)
  const unbound = await beginOrder(without, ['eab.example.test'])
  const refused = await finishOrder({ issuer: without, responder }, unbound.order)
  assert.ok(refused.result === 'stalled')
  assert.equal(refused.problem.code, 'operator_needed')

  const withBinding = createTestIssuer(bound, { externalAccount: { kid, hmacKey } })
  const { order } = await beginOrder(withBinding, ['eab.example.test'])
  assertIssued(await finishOrder({ issuer: withBinding, responder }, order))
})

test('a wildcard fails where dns-01 is not answered, since nothing else could prove it', async () => {
  const { order } = await beginOrder(issuer, ['*.example.test'], { type: 'http-01' })
  const end = await finishOrder({ issuer, responder }, order)
  assert.ok(end.result === 'failed', JSON.stringify(end))
  assert.match(JSON.stringify(end), /offers dns-01, not http-01/)
})

function assertIssued(end: OrderEnd): Extract<OrderEnd, { result: 'issued' }> {
  assert.ok(end.result === 'issued', JSON.stringify(end))
  return end
}

/** Advances an order until it stands at this step. */
async function reach(by: Issuer, order: IssuanceOrder, step: IssuanceOrder['step']): Promise<IssuanceOrder> {
  let current = order
  for (let tries = 0; current.step !== step; tries++) {
    assert.ok(tries < 500, `the order never came to ${step}`)
    current = (await settle(by, current)).order
  }
  return current
}

async function settle(by: Issuer, order: IssuanceOrder): Promise<Advance> {
  responder.serve(order.answers)
  const outcome = await by.advance(order)
  assert.ok(outcome.result !== 'failed' && outcome.result !== 'stalled', JSON.stringify(outcome))
  return outcome
}
