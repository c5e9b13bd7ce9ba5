import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls, createServer } from 'node:tls'
import { DAY_MS, ManualClock, systemClock } from '../../../platform/clock.ts'
import { createCsr } from './csr.ts'
import { createInternalCa, createRoot, type CaRoot } from './internal-ca.ts'
import { createPrivateKeyPem, importKeyPair, KEY_ALGORITHM } from './key-pair.ts'
import { runOrder } from '../order/run-order.ts'
import { describeCertificate } from './issued-chain.ts'
import { splitChain } from './split-chain.ts'
import { subjectNames } from './subject-names.ts'
import { X509Certificate, X509CertificateGenerator } from './x509.ts'

const root = await createRoot({ clock: systemClock })
const ca = createInternalCa({ clock: systemClock }, { root })

test('a client that trusts the root connects to every name of the certificate, and to no other', async () => {
  const issued = await ca.issue(['shop.example.test', '*.pets.localhost', 'localhost', '127.0.0.1', '::1'])
  const connect = await serve(issued.chainPem, issued.privateKeyPem)
  for (const name of ['shop.example.test', 'one.pets.localhost', 'localhost']) {
    assert.equal(await connect(name, root.certificatePem), 'connected')
  }
  assert.match(await connect('other.example.test', root.certificatePem), /altnames/)
  const stranger = await createRoot({ clock: systemClock })
  assert.match(await connect('localhost', stranger.certificatePem), /signature|verify/)
})

test('an order is issued in one step, and its record survives as JSON', async () => {
  const privateKeyPem = await createPrivateKeyPem()
  const csr = await createCsr(['a.example.test'], privateKeyPem)
  const saved: string[] = []
  const end = await runOrder(
    { issuer: ca, clock: systemClock, save: async (order) => void saved.push(JSON.stringify(order)) },
    JSON.parse(JSON.stringify(ca.begin({ names: ['a.example.test'], csr }))),
    { patienceMs: 1000 },
  )
  assert.equal(end.result, 'issued')
  assert.equal(saved.length, 1)
  if (end.result !== 'issued') return
  const leaf = splitChain(end.chain.chainPem)[0]
  assert.ok(leaf?.checkPrivateKey(createPrivateKey(privateKeyPem)))
})

test('validity follows the given clock and never outlives the root', async () => {
  const clock = new ManualClock(Date.UTC(2030, 0, 1))
  const shortRoot = await createRoot({ clock }, { validityMs: 100 * DAY_MS })
  const shortCa = createInternalCa({ clock }, { root: shortRoot, leafValidityMs: 90 * DAY_MS })
  assert.equal((await shortCa.issue(['a.test'])).leaf.notAfter, Date.UTC(2030, 0, 1) + 90 * DAY_MS)
  clock.advance(50 * DAY_MS)
  assert.equal((await shortCa.issue(['a.test'])).leaf.notAfter, Date.UTC(2030, 0, 1) + 100 * DAY_MS)
  clock.advance(50 * DAY_MS)
  await assert.rejects(shortCa.issue(['a.test']), /root has expired/)
})

test('a root limited to domains refuses other names before it signs', async () => {
  const limited = await createRoot({ clock: systemClock }, { permittedDomains: ['localhost', 'example.test'] })
  const limitedCa = createInternalCa({ clock: systemClock }, { root: limited })
  const issued = await limitedCa.issue(['localhost', 'a.localhost', '*.localhost', 'example.test', 'x.y.example.test'])
  assert.equal(issued.leaf.names.length, 5)
  for (const name of ['example.com', 'notexample.test', 'test', '10.0.0.1', '*.test']) {
    await assert.rejects(limitedCa.issue([name]), /issues for localhost, example.test and names below only/, name)
  }
})

test('clients refuse a name outside the limits even when the stolen root key signs it', async () => {
  const limited = await createRoot({ clock: systemClock }, { permittedDomains: ['localhost'] })
  const forge = await forgeLeaf(limited, 'bank.example')
  const connect = await serve(forge.chainPem, forge.privateKeyPem)
  assert.match(await connect('bank.example', limited.certificatePem), /permitted subtree violation/)
})

test('names that are no hostnames are refused', async () => {
  for (const name of ['', 'a..b', '-a.test', 'a b', '*', 'a.*.test', '8.8.8.8', `${'a'.repeat(64)}.test`]) {
    await assert.rejects(ca.issue([name]), name || 'empty')
  }
})

test('a certificate is described by names, issuer, serial, dates and fingerprint', async () => {
  const clock = new ManualClock(Date.UTC(2027, 5, 1))
  const dated = createInternalCa({ clock }, { root: await createRoot({ clock }) })
  const issued = await dated.issue(['B.example.test', '127.0.0.1'])
  const description = describeCertificate(issued.chainPem)
  assert.deepEqual(description.names, ['b.example.test', '127.0.0.1'])
  assert.equal(description.issuer, 'CN=Petstore internal CA, O=Petstore')
  assert.equal(description.notAfter, Date.UTC(2027, 5, 1) + 90 * DAY_MS)
  assert.match(description.serial, /^[0-9A-F]{16,40}$/)
  assert.match(description.fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
})

async function serve(cert: string, key: string) {
  const server = createServer({ cert, key })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  return (servername: string, trusted: string) =>
    new Promise<string>((resolve) => {
      const socket = connectTls({ port, host: '127.0.0.1', servername, ca: trusted })
      socket.on('secureConnect', () => socket.destroy() && resolve('connected'))
      socket.on('error', (error) => resolve(error.message))
    })
}

async function forgeLeaf(stolen: CaRoot, name: string) {
  const privateKeyPem = await createPrivateKeyPem()
  const leaf = await X509CertificateGenerator.create({
    subject: 'CN=forged',
    issuer: new X509Certificate(stolen.certificatePem).subjectName,
    publicKey: importKeyPair(privateKeyPem).publicKey,
    signingKey: importKeyPair(stolen.privateKeyPem).privateKey,
    signingAlgorithm: KEY_ALGORITHM,
    notBefore: new Date(systemClock.now() - DAY_MS),
    notAfter: new Date(systemClock.now() + DAY_MS),
    extensions: [subjectNames([name])],
  })
  return { chainPem: leaf.toString('pem'), privateKeyPem }
}
