import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { createInternalCa, createRoot } from '../../features/certificates/authority/internal-ca.ts'
import { systemClock } from '../../platform/clock.ts'
import type { HostCertificate } from './context-cache.ts'
import {
  askHttp1,
  clientHello,
  handshake,
  sendRaw,
  sessionForAnyName,
  sessionOf,
  startEdge,
  statusOf,
  type TestEdge,
} from '../../../test/edge/tls-fixture.ts'

const ALERT_UNRECOGNIZED_NAME = '15030300020270'
const ALERT_INTERNAL_ERROR = '15030300020250'
const ALERT_DECODE_ERROR = '15030300020232'

let ca: string
let shop: HostCertificate
let other: HostCertificate
let edge: TestEdge

before(async () => {
  const root = await createRoot({ clock: systemClock })
  const issuer = createInternalCa({ clock: systemClock }, { root })
  ca = root.certificatePem
  const issue = async (name: string, id: string): Promise<HostCertificate> => {
    const { privateKeyPem, chainPem } = await issuer.issue([name])
    return { key: privateKeyPem, cert: chainPem, id }
  }
  shop = await issue('shop.example', '1')
  other = await issue('other.example', '2')
  edge = await startEdge({ 'shop.example': shop, 'other.example': other })
})
after(() => edge[Symbol.asyncDispose]())

test('each name is served with its own certificate, which clients verify', async () => {
  for (const servername of ['shop.example', 'other.example']) {
    const { outcome, socket } = await handshake(edge.port, { servername, ca })
    assert.equal(outcome, 'secure')
    assert.equal(socket.getPeerCertificate().subjectaltname, `DNS:${servername}`)
    assert.equal(statusOf(await askHttp1(socket, `${servername}:${edge.port}`)), 200)
    socket.destroy()
  }
})

test('a served name is recognised however a client writes it', async () => {
  for (const name of ['shop.example', 'SHOP.Example', 'shop.example.']) {
    const answer = await sendRaw(edge.port, clientHello(name), 'first bytes')
    assert.equal(answer[0], 22, `${name}: a handshake message`)
  }
})

test('any other name, and none, gets the alert unrecognized_name and no certificate', async () => {
  const names = [
    'unknown.example',
    ' shop.example',
    'shop.example ',
    'shop .example',
    '__proto__',
    'constructor',
    'toString',
    '',
    '.',
    '..',
    '*.shop.example',
    '127.0.0.1',
    '2130706433',
    '[::1]',
    '::1',
    'a'.repeat(255),
    `${'a.'.repeat(126)}aaa`,
    'shop.example\0',
    'shop.example\0.evil.example',
    'sh\u00f6p.example',
    'xn--a',
    '-a.example',
    'a_b.example',
    'shop.example:99999',
    '%73hop.example',
    undefined,
  ]
  for (const name of names) {
    assert.equal((await sendRaw(edge.port, clientHello(name))).toString('hex'), ALERT_UNRECOGNIZED_NAME, String(name))
  }
  const { outcome } = await handshake(edge.port, { servername: 'unknown.example' })
  assert.equal(outcome, 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME')
  assert.deepEqual(edge.errors, [])
})

test('strangers who repeat an unknown name cause one look-up', async () => {
  edge.lookups.length = 0
  const answers = Array.from({ length: 100 }, () => sendRaw(edge.port, clientHello('storm.example')))
  for (const answer of await Promise.all(answers)) assert.equal(answer.toString('hex'), ALERT_UNRECOGNIZED_NAME)
  assert.deepEqual(edge.lookups, ['storm.example'])
})

test('bytes that are no TLS get an alert, and people with http:// in their address a sentence', async () => {
  assert.equal((await sendRaw(edge.port, Buffer.alloc(20, 0xff))).toString('hex'), ALERT_DECODE_ERROR)
  const answer = (await sendRaw(edge.port, 'GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n')).toString()
  assert.match(answer, /^HTTP\/1\.1 400 .*begins with https:\/\//s)
})

test('a Host that differs from the name of the connection is a 421, and ends it', async () => {
  const strangers = ['other.example', 'shop.example.evil.example', 'x', '127.0.0.1', 'shop.example:x', 'shop.example@x']
  for (const host of strangers) {
    const { socket } = await handshake(edge.port, { servername: 'shop.example' })
    const answer = await askHttp1(socket, host)
    assert.equal(statusOf(answer), 421, host)
    assert.match(answer, /^connection: close/im)
    socket.destroy()
  }
  const { socket } = await handshake(edge.port, { servername: 'shop.example' })
  assert.equal(statusOf(await askHttp1(socket, 'SHOP.example.:443')), 200)
  socket.destroy()
})

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  const versions = { minVersion: version, maxVersion: version }
  const client = { ...versions, servername: 'shop.example' }

  test(`${version}: a resumed session knows its name`, async () => {
    const session = await sessionOf(edge.port, client)
    const { socket } = await handshake(edge.port, { ...client, session })
    assert.equal(socket.isSessionReused(), true)
    assert.equal(statusOf(await askHttp1(socket, 'shop.example')), 200)
    assert.equal(statusOf(await askHttp1(socket, 'other.example')), 421)
    socket.destroy()
  })

  test(`${version}: a session of one host is not resumed at another`, async () => {
    const session = sessionForAnyName(await sessionOf(edge.port, client), 'shop.example')
    const again = await handshake(edge.port, { ...client, session })
    assert.equal(again.socket.isSessionReused(), true, 'the session itself is good')
    again.socket.destroy()
    const { socket } = await handshake(edge.port, { ...versions, servername: 'other.example', session })
    assert.equal(socket.isSessionReused(), false)
    assert.equal(socket.getPeerCertificate().subjectaltname, 'DNS:other.example')
    assert.equal(statusOf(await askHttp1(socket, 'other.example')), 200)
    socket.destroy()
  })

  test(`${version}: removal ends what is open at once, and what would be resumed`, async () => {
    const session = await sessionOf(edge.port, client)
    const { socket } = await handshake(edge.port, { ...client, session })
    assert.equal(statusOf(await askHttp1(socket, 'shop.example')), 200)
    edge.certificates.delete('shop.example')
    edge.listener.drop('shop.example')
    edge.listener.closeConnections('shop.example')
    await once(socket, 'close')
    const { outcome } = await handshake(edge.port, { ...client, session })
    assert.match(outcome, /UNRECOGNIZED_NAME/)
    edge.certificates.set('shop.example', shop)
    edge.listener.drop('shop.example')
  })

  test(`${version}: ticket keys change with the clock, and an old ticket only costs a full handshake`, async () => {
    const session = await sessionOf(edge.port, client)
    edge.clock.advance(13 * 3600 * 1000)
    const first = await handshake(edge.port, { ...client, session })
    first.socket.destroy()
    const { socket } = await handshake(edge.port, { ...client, session })
    assert.equal(socket.isSessionReused(), false)
    assert.equal(statusOf(await askHttp1(socket, 'shop.example')), 200)
    socket.destroy()
  })
}

test('only TLS 1.2 and 1.3 are spoken', async () => {
  const { outcome } = await handshake(edge.port, {
    servername: 'shop.example',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  assert.match(outcome, /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/)
})

test('a failing look-up is an alert for that client only', async () => {
  const broken = await startEdge(
    {},
    {
      certificateFor: async (host) => {
        if (host === 'broken.example') throw new Error('no storage')
        if (host === 'damaged.example') return { key: 'x', cert: 'y', id: 'z' }
        return shop
      },
    },
  )
  try {
    for (const name of ['broken.example', 'damaged.example']) {
      assert.equal((await sendRaw(broken.port, clientHello(name))).toString('hex'), ALERT_INTERNAL_ERROR)
    }
    assert.match(String(broken.errors[0]), /no storage/)
    assert.equal(broken.errors.length, 2)
    const { outcome, socket } = await handshake(broken.port, { servername: 'shop.example' })
    assert.equal(outcome, 'secure')
    socket.destroy()
  } finally {
    await broken[Symbol.asyncDispose]()
  }
})

test('a cache with room for one serves two hosts at once, and what it forgets goes on working', async () => {
  const small = await startEdge({ 'shop.example': shop, 'other.example': other }, { contexts: { hostsMax: 1 } })
  try {
    const names = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'shop.example' : 'other.example'))
    const opened = await Promise.all(names.map((servername) => handshake(small.port, { servername, ca })))
    small.listener.drop('shop.example')
    small.listener.drop('other.example')
    await new Promise((resolve) => setImmediate(resolve))
    for (const [at, { outcome, socket }] of opened.entries()) {
      assert.equal(outcome, 'secure')
      assert.equal(statusOf(await askHttp1(socket, names[at]!)), 200)
      socket.destroy()
    }
    assert.deepEqual(small.errors, [])
  } finally {
    await small[Symbol.asyncDispose]()
  }
})

test('tls-alpn-01 is answered while its order is under way, and with nothing else behind it', async () => {
  const acme = await startEdge({}, { challengeFor: async (host) => (host === 'shop.example' ? shop : undefined) })
  try {
    const asked = { ALPNProtocols: ['acme-tls/1'] }
    const { outcome, socket } = await handshake(acme.port, { ...asked, servername: 'shop.example' })
    assert.equal(outcome, 'secure')
    assert.equal(socket.alpnProtocol, 'acme-tls/1')
    assert.equal(socket.getPeerCertificate().subjectaltname, 'DNS:shop.example')
    assert.equal(await askHttp1(socket, 'shop.example'), '')
    const unknown = await handshake(acme.port, { ...asked, servername: 'other.example' })
    assert.match(unknown.outcome, /UNRECOGNIZED_NAME/)
    const mixed = await handshake(acme.port, { ALPNProtocols: ['acme-tls/1', 'h2'], servername: 'shop.example' })
    assert.match(mixed.outcome, /UNRECOGNIZED_NAME/, 'a site that has no certificate yet')
  } finally {
    await acme[Symbol.asyncDispose]()
  }
})
