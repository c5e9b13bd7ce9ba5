import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startAcmeProxy } from '../../../../test/harness/acme-proxy.ts'
import { beginOrder, createTestIssuer, finishOrder, startChallengeResponder } from '../../../../test/harness/acme.ts'
import { startPebble } from '../../../../test/harness/pebble.ts'
import { switchProtocols } from '../../../../test/harness/switch-protocols.ts'
import { HUNG_AFTER_MS } from '../../../../test/harness/until.ts'
import { DAY_MS, ManualClock, systemClock } from '../../../platform/clock.ts'
import { createCsr, readCsr } from '../authority/csr.ts'
import { createInternalCa, createRoot } from '../authority/internal-ca.ts'
import { checkIssuedChain } from '../authority/issued-chain.ts'
import type { IssuanceOrder } from '../issuer.ts'
import { AcmeError } from './acme-error.ts'
import { createAcmeTransport } from './transport.ts'

const resources = new AsyncDisposableStack()
after(() => resources.disposeAsync())
const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
const BODY_BYTES_MAX = 64 * 1024

test('a body of a gigabyte is dropped after the first kilobytes', async () => {
  let sentBytes = 0
  await using server = await startServer((response) => {
    response.writeHead(200, { 'content-length': String(2 ** 30) })
    const chunk = Buffer.alloc(64 * 1024, 0x20)
    const pump = () => {
      while (!response.destroyed && sentBytes < 2 ** 30) {
        sentBytes += chunk.length
        if (!response.write(chunk)) return void response.once('drain', pump)
      }
    }
    pump()
  })
  await assert.rejects(get(server.url), isAcmeError('bad_response', /more than 65536 bytes/))
  await server.connectionsClosed()
  assert.ok(sentBytes < 32 * 2 ** 20, `${sentBytes} bytes were taken`)
})

test('chunks that never end stop at the size limit, and bytes that drip stop at the time limit', async () => {
  await using fast = await startServer((response) => {
    const pump = () => response.destroyed || response.write('x'.repeat(8192), () => setImmediate(pump))
    pump()
  })
  await assert.rejects(get(fast.url), isAcmeError('bad_response', /more than/))

  await using slow = await startServer((response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  await assert.rejects(get(slow.url, 150), isAcmeError('unavailable', /within 150 ms/))
})

test('a server that never answers, or hangs up, is unavailable', async () => {
  await using silent = await startServer(() => {})
  await assert.rejects(get(silent.url, 100), isAcmeError('unavailable', /within 100 ms/))
  await using rude = await startServer((response) => response.socket?.destroy())
  await assert.rejects(get(rude.url), isAcmeError('unavailable', /could not be reached/))
})

test('a server that switches protocols is unavailable', async () => {
  await using server = await startServer(switchProtocols)
  await assert.rejects(get(server.url), isAcmeError('unavailable', /101 Switching Protocols/))
  await server.connectionsClosed()
})

test('a directory with another root is refused with a hint at the CA file, and plain HTTP is refused', async () => {
  await using server = await startServer((response) => response.end('{}'))
  const untrusting = createAcmeTransport()
  await assert.rejects(untrusting({ method: 'GET', url: server.url }), isAcmeError('unavailable', /ACME CA file/))
  await assert.rejects(get('http://127.0.0.1:1/'), isAcmeError('bad_response', /no https address/))
})

test('HTML, redirects and empty objects for a directory stall the order and say what to check', async () => {
  const answers: [number, Record<string, string>, string][] = [
    [200, { 'content-type': 'text/html' }, '<!doctype html><title>Welcome</title>'],
    [302, { location: 'https://elsewhere.example/' }, ''],
    [200, { 'content-type': 'application/json' }, '{}'],
    [200, { 'content-type': 'application/json' }, '{"newNonce":7}'],
    [404, { 'content-type': 'text/html' }, '<h1>Not found</h1>'],
  ]
  for (const [status, headers, body] of answers) {
    await using server = await startServer((response) => response.writeHead(status, headers).end(body))
    const issuer = createTestIssuer({ directoryUrl: server.url, caPem: ca.rootPem })
    const outcome = await issuer.advance((await beginOrder(issuer, ['a.example.test'])).order)
    assert.ok(outcome.result === 'stalled', body)
    assert.equal(outcome.problem.code, 'ca_misbehaves')
    assert.match(outcome.problem.message, /operator should check the configured address/)
  }
})

test('certificates for another key, other names or another time are refused and never handed over', async () => {
  const responder = resources.use(await startChallengeResponder())
  const pebble = resources.use(await startPebble(responder))
  const name = 'wanted.example.test'
  const past = new ManualClock(systemClock.now() - 400 * DAY_MS)
  const old = createInternalCa({ clock: past }, { root: await createRoot({ clock: past }) })
  const otherKey = (await ca.issue([name])).chainPem

  const cases: [RegExp, (order: IssuanceOrder) => Promise<string>][] = [
    [/another key/, async () => otherKey],
    [/no readable certificate/, async () => '<html>sorry</html>'],
    [/no readable certificate/, async () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    [/already expired/, (order) => signedBy(old, order)],
    [/do not sign one another/, async (order) => (await signedBy(ca, order)) + otherKey],
    [/more than 10 certificates/, async (order) => (await signedBy(ca, order)).repeat(11)],
  ]
  for (const [reason, forge] of cases) {
    let forged = ''
    await using proxy = await startAcmeProxy({
      upstream: pebble,
      fault: ({ path }) => (path.startsWith('/certZ/') ? { answer: { status: 200, body: forged } } : {}),
    })
    const issuer = createTestIssuer(proxy)
    const { order } = await beginOrder(issuer, [name])
    forged = await forge(order)
    const end = await finishOrder({ issuer, responder }, order)
    assert.ok(end.result === 'failed', reason.source)
    assert.equal(end.problem.code, 'certificate_refused')
    assert.match(end.problem.detail ?? '', reason)
    assert.ok(!JSON.stringify(end).includes('BEGIN CERTIFICATE'))
  }
})

test('a certificate for other names than ordered is refused', async () => {
  const issuer = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const wanted = await beginOrder(issuer, ['a.example.test'])
  const names = ['b.example.test']
  const other = issuer.begin({ names, csr: await createCsr(names, wanted.privateKeyPem) })
  const request = await readCsr(wanted.order.csr)
  const check = checkIssuedChain(await signedBy(issuer, other), request, systemClock.now())
  assert.deepEqual(check, { ok: false, reason: 'the certificate names b.example.test, not a.example.test' })
})

test('a token that is no token never becomes part of a path', async () => {
  const responder = resources.use(await startChallengeResponder())
  const pebble = resources.use(await startPebble(responder))
  const challenges = [{ type: 'http-01', url: 'https://127.0.0.1/c', status: 'pending', token: '../../admin' }]
  const body = JSON.stringify({ status: 'pending', identifier: { type: 'dns', value: 'a.example.test' }, challenges })
  await using proxy = await startAcmeProxy({
    upstream: pebble,
    fault: ({ path }) => (path.startsWith('/authZ/') ? { answer: { status: 200, body } } : {}),
  })
  const issuer = createTestIssuer(proxy)
  const end = await finishOrder({ issuer, responder }, (await beginOrder(issuer, ['a.example.test'])).order)
  assert.ok(end.result === 'stalled')
  assert.equal(end.problem.code, 'ca_misbehaves')
})

const get = (url: string, timeoutMs = HUNG_AFTER_MS) =>
  createAcmeTransport({ caPem: ca.rootPem, bodyBytesMax: BODY_BYTES_MAX, timeoutMs })({ method: 'GET', url })

const isAcmeError = (kind: AcmeError['kind'], message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AcmeError, String(error))
  assert.equal(error.kind, kind)
  assert.match(error.message, message)
  return true
}

async function signedBy(signer: typeof ca, order: IssuanceOrder): Promise<string> {
  const outcome = await signer.advance(order)
  assert.ok(outcome.result === 'issued')
  return outcome.chain.chainPem
}

async function startServer(respond: (response: ServerResponse) => unknown) {
  const { chainPem, privateKeyPem } = await ca.issue(['127.0.0.1'])
  const closed: Promise<unknown>[] = []
  const server = createServer({ cert: chainPem, key: privateKeyPem }, (_request, response) => respond(response))
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    closed.push(once(socket, 'close'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`,
    connectionsClosed: () => Promise.all(closed),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
