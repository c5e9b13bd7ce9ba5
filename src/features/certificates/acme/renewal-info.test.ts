import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAcmeProxy, type ProxiedRequest, type ProxyFault } from '../../../../test/harness/acme-proxy.ts'
import {
  beginOrder,
  createMemoryAccounts,
  createTestIssuer,
  finishOrder,
  startChallengeResponder,
} from '../../../../test/harness/acme.ts'
import { startPebble } from '../../../../test/harness/pebble.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import { createPrivateKeyPem, importKeyPair, KEY_ALGORITHM } from '../authority/key-pair.ts'
import { planRenewal } from '../renewal.ts'
import { AuthorityKeyIdentifierExtension, X509CertificateGenerator } from '../authority/x509.ts'
import { renewalIdentifier } from './renewal-info.ts'

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const responder = resources.use(await startChallengeResponder())
const pebble = resources.use(await startPebble({ ...responder, certificateValidityMs: 90 * DAY_MS }))

let advice: NonNullable<ProxyFault['answer']> = { status: 200 }
let orderFault: (request: ProxiedRequest) => ProxyFault = () => ({})
const identifiers: string[] = []
const proxy = resources.use(
  await startAcmeProxy({
    upstream: pebble,
    renewalInfo(identifier) {
      identifiers.push(identifier)
      return advice
    },
    fault: (request) => (request.path === '/order-plz' ? orderFault(request) : {}),
  }),
)
const accounts = createMemoryAccounts()
const issuer = createTestIssuer(proxy, { accounts })
const { order } = await beginOrder(issuer, ['ari.example.test'])
const end = await finishOrder({ issuer, responder }, order)
assert.ok(end.result === 'issued', JSON.stringify(end))
const { chainPem, leaf } = end.chain
const third = leaf.notAfter - (leaf.notAfter - leaf.notBefore) / 3

test('a certificate is identified as in the example of RFC 9773', async () => {
  const keys = importKeyPair(await createPrivateKeyPem())
  const example = await X509CertificateGenerator.create({
    serialNumber: '87654321',
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: KEY_ALGORITHM,
    notBefore: new Date(0),
    notAfter: new Date(DAY_MS),
    extensions: [new AuthorityKeyIdentifierExtension('69885b6b87464041e1b37b847ba0ae2cde01c8d4')],
  })
  assert.equal(renewalIdentifier(example.toString('pem')), 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
})

test('the window that the CA suggests decides, and its Retry-After says when to ask again', async () => {
  const start = leaf.notBefore + 20 * DAY_MS
  advice = windowFrom(start, start + 2 * DAY_MS, { 'retry-after': '21600' })
  const given = await issuer.renewalAdvice(chainPem)
  assert.deepEqual(given, {
    window: { startAt: start, endAt: start + 2 * DAY_MS },
    checkAgainMs: 6 * HOUR_MS,
  })
  assert.equal(identifiers.at(-1), renewalIdentifier(chainPem))
  assert.deepEqual(
    planRenewal(leaf, given.window, () => 0.5),
    { renewAt: start + DAY_MS, reason: 'advised' },
  )
})

test('malformed, reversed, far and missing windows leave the renewal at a third of life', async () => {
  const answers: NonNullable<ProxyFault['answer']>[] = [
    { status: 200, body: 'null' },
    { status: 200, body: '<html>maintenance</html>' },
    json({ suggestedWindow: { start: 'soon', end: 'later' } }),
    json({ suggestedWindow: { start: 17, end: 18 } }),
    json({ suggestedWindow: {} }),
    windowFrom(leaf.notBefore + 2 * DAY_MS, leaf.notBefore + DAY_MS),
    windowFrom(leaf.notBefore - 30 * DAY_MS, leaf.notBefore - 20 * DAY_MS),
    windowFrom(leaf.notAfter + DAY_MS, leaf.notAfter + 90 * DAY_MS),
    { status: 404 },
    { status: 500 },
  ]
  for (advice of answers) {
    const { window, checkAgainMs } = await issuer.renewalAdvice(chainPem)
    const plan = planRenewal(leaf, window, () => 0)
    assert.deepEqual(plan, { renewAt: Math.floor(third), reason: 'share_of_life' }, JSON.stringify(advice))
    assert.ok(checkAgainMs >= MINUTE_MS && checkAgainMs <= DAY_MS)
  }
})

test('the CA is asked again within a minute and a day, whatever it says', async () => {
  for (const [header, expectedMs] of [
    ['0', MINUTE_MS],
    ['99999999', DAY_MS],
    ['soon', 12 * HOUR_MS],
  ] as const) {
    advice = windowFrom(leaf.notBefore + DAY_MS, leaf.notBefore + 2 * DAY_MS, { 'retry-after': header })
    assert.equal((await issuer.renewalAdvice(chainPem)).checkAgainMs, expectedMs)
  }
})

test('a renewal names the certificate that it replaces', async () => {
  const renewal = await beginOrder(issuer, ['ari.example.test'], { replacesPem: chainPem })
  assert.equal((await finishOrder({ issuer, responder }, renewal.order)).result, 'issued')
  assert.equal(newOrders().at(-1)?.payload?.replaces, renewalIdentifier(chainPem))
})

test('a predecessor that the CA counts as replaced already does not stop the renewal', async () => {
  const body = JSON.stringify({ type: 'urn:ietf:params:acme:error:alreadyReplaced', detail: 'replaced' })
  orderFault = ({ payload }) => (payload?.replaces ? { answer: { status: 409, body } } : {})
  const renewal = await beginOrder(issuer, ['ari.example.test'], { replacesPem: chainPem })
  assert.equal((await finishOrder({ issuer, responder }, renewal.order)).result, 'issued')
  assert.equal(newOrders().at(-1)?.payload?.replaces, undefined)
  orderFault = () => ({})
})

test('a CA without renewal information gives no window and gets no predecessor', async () => {
  const plain = createTestIssuer(pebble)
  assert.equal((await plain.renewalAdvice(chainPem)).window, undefined)
  const renewal = await beginOrder(plain, ['plain.example.test'], { replacesPem: chainPem })
  assert.equal((await finishOrder({ issuer: plain, responder }, renewal.order)).result, 'issued')
})

const newOrders = () => proxy.requests.filter(({ path }) => path === '/order-plz')

const json = (body: unknown) => ({ status: 200, body: JSON.stringify(body) })

function windowFrom(startAt: number, endAt: number, headers: Record<string, string> = {}) {
  const suggestedWindow = { start: new Date(startAt).toISOString(), end: new Date(endAt).toISOString() }
  return { status: 200, headers, body: JSON.stringify({ suggestedWindow }) }
}
