import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import {
  a,
  aaaa,
  alias,
  caa,
  cname,
  ns,
  NS1,
  NS2,
  onlyOn,
  startTestDns,
  type TestDns,
  txt,
  zone,
} from '../../../test/harness/dns.ts'
import { systemClock } from '../clock.ts'
import { createDnsClient } from './client.ts'
import type { QuestionType } from './message.ts'
import { FAULT_KINDS, type ZoneFault } from './zone.ts'

const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000 })
// Only where silence is what the test is about: a busy machine must not look like a broken server.
const impatient = createDnsClient({ clock: systemClock, timeoutMs: 300, retryAfterMs: 100 })

const ask = (dns: TestDns, name: string, type: QuestionType, nameserver = NS1, by = client) =>
  by.ask({ address: '127.0.0.1', port: dns.portFor(nameserver) }, name, type)

test('records of every kind arrive as they were put in', async () => {
  const long = 'x'.repeat(700)
  await using dns = await startTestDns([
    zone('example.test', [
      a('www.example.test', '192.0.2.1', 60),
      aaaa('www.example.test', '2001:db8::1'),
      txt('_petstore.example.test', long),
      caa('example.test', 'issue', 'ca.example; validationmethods=http-01', 128),
      { name: 'example.test', type: 'MX', ttl: 5, data: { preference: 10, exchange: 'mail.example.test' } },
    ]),
  ])
  const found = await ask(dns, 'WWW.example.test.', 'A')
  assert.equal(found.rcode, 'NOERROR')
  assert.equal(found.flags?.authoritative, true)
  assert.deepEqual(found.answers, [{ name: 'www.example.test', type: 'A', ttl: 60, data: '192.0.2.1' }])
  assert.equal((await ask(dns, 'www.example.test', 'AAAA')).answers[0]?.data, '2001:db8::1')
  assert.equal((await ask(dns, '_petstore.example.test', 'TXT')).answers[0]?.data, long)
  const issue = { flags: 128, tag: 'issue', value: 'ca.example; validationmethods=http-01' }
  assert.deepEqual((await ask(dns, 'example.test', 'CAA')).answers[0]?.data, issue)
  const mail = { preference: 10, exchange: 'mail.example.test' }
  assert.deepEqual((await ask(dns, 'example.test', 'MX')).answers[0]?.data, mail)
  const soa = (await ask(dns, 'example.test', 'SOA')).answers[0]!
  assert.equal(soa.type === 'SOA' && soa.data.serial, 2026_01_01)
  const nameservers = await ask(dns, 'example.test', 'NS')
  assert.deepEqual(
    nameservers.answers.map(({ data }) => data),
    [NS1, NS2],
  )
  assert.deepEqual(
    nameservers.additional.map(({ name }) => name),
    [NS1, NS2],
  )
})

test('no such name, no such type and no such zone are told apart', async () => {
  await using dns = await startTestDns([zone('example.test', [a('deep.down.example.test', '192.0.2.1')])])
  const missing = await ask(dns, 'nope.example.test', 'A')
  assert.equal(missing.rcode, 'NXDOMAIN')
  assert.equal(missing.authority[0]?.name, 'example.test')
  assert.equal(missing.authority[0]?.ttl, 300)
  assert.equal((await ask(dns, 'deep.down.example.test', 'TXT')).rcode, 'NOERROR')
  assert.equal((await ask(dns, 'down.example.test', 'A')).rcode, 'NOERROR', 'a name with names below it exists')
  assert.equal((await ask(dns, 'other.elsewhere', 'A')).rcode, 'REFUSED')
})

test('a CNAME is followed inside the own zones, loops end, other zones are left to others', async () => {
  await using dns = await startTestDns([
    zone('example.test', [
      cname('www.example.test', 'site.platform.test'),
      cname('out.example.test', 'somewhere.elsewhere'),
      cname('loop.example.test', 'pool.example.test'),
      cname('pool.example.test', 'loop.example.test'),
      a('both.example.test', '192.0.2.7'),
      cname('both.example.test', 'site.platform.test'),
      cname('both.example.test', 'other.platform.test'),
    ]),
    zone('platform.test', [a('site.platform.test', '192.0.2.1')]),
  ])
  const followed = await ask(dns, 'www.example.test', 'A')
  assert.deepEqual(
    followed.answers.map(({ data }) => data),
    ['site.platform.test', '192.0.2.1'],
  )
  assert.equal((await ask(dns, 'www.example.test', 'CNAME')).answers.length, 1)
  assert.equal((await ask(dns, 'out.example.test', 'A')).answers.length, 1)
  assert.equal((await ask(dns, 'loop.example.test', 'A')).rcode, 'NOERROR')
  assert.deepEqual(
    (await ask(dns, 'both.example.test', 'A')).answers.map(({ data }) => data),
    ['192.0.2.7'],
  )
  assert.equal((await ask(dns, 'both.example.test', 'CNAME')).answers.length, 2)
})

test('an ALIAS at the apex is answered with the addresses of its target', async () => {
  await using dns = await startTestDns([
    zone('example.test', [alias('example.test', 'site.platform.test', 60)]),
    zone('dangling.test', [alias('dangling.test', 'nobody.elsewhere')]),
    zone('round.test', [alias('round.test', 'a.round.test'), alias('a.round.test', 'round.test')]),
    zone('platform.test', [cname('site.platform.test', 'edge.platform.test'), a('edge.platform.test', '192.0.2.1')]),
  ])
  const flat = { name: 'example.test', type: 'A', ttl: 60, data: '192.0.2.1' }
  assert.deepEqual((await ask(dns, 'example.test', 'A')).answers, [flat])
  const none = await ask(dns, 'example.test', 'AAAA')
  assert.equal(none.rcode, 'NOERROR')
  assert.equal(none.answers.length, 0)
  assert.equal((await ask(dns, 'example.test', 'CNAME')).answers.length, 0)
  assert.equal((await ask(dns, 'dangling.test', 'A')).rcode, 'SERVFAIL')
  assert.equal((await ask(dns, 'round.test', 'A')).rcode, 'SERVFAIL')
})

test('a wildcard answers for names that do not exist, and for no others', async () => {
  const records = [a('*.example.test', '192.0.2.9'), txt('www.example.test', 'here')]
  await using dns = await startTestDns([zone('example.test', records)])
  assert.deepEqual((await ask(dns, 'any.example.test', 'A')).answers[0]?.name, 'any.example.test')
  assert.equal((await ask(dns, 'www.example.test', 'A')).answers.length, 0)
  assert.equal((await ask(dns, 'below.www.example.test', 'A')).rcode, 'NXDOMAIN')
})

test('a delegated subzone is answered with a referral and glue', async () => {
  await using dns = await startTestDns([
    zone('example.test', [ns('sub.example.test', 'ns.sub.example.test'), a('ns.sub.example.test', '192.0.2.53')]),
  ])
  const referral = await ask(dns, 'www.sub.example.test', 'A')
  assert.equal(referral.flags?.authoritative, false)
  const nameserver = { name: 'sub.example.test', type: 'NS', ttl: 3600, data: 'ns.sub.example.test' }
  assert.deepEqual(referral.authority, [nameserver])
  assert.deepEqual(
    referral.additional.map(({ data }) => data),
    ['192.0.2.53'],
  )
})

test('two nameservers of one zone can disagree', async () => {
  const records = [onlyOn(NS1, a('www.example.test', '192.0.2.1')), onlyOn(NS2, a('www.example.test', '192.0.2.2'))]
  await using dns = await startTestDns([zone('example.test', records, { serialOn: { [NS2]: 7 } })])
  assert.equal((await ask(dns, 'www.example.test', 'A', NS1)).answers[0]?.data, '192.0.2.1')
  assert.equal((await ask(dns, 'www.example.test', 'A', NS2)).answers[0]?.data, '192.0.2.2')
  const soa = (await ask(dns, 'example.test', 'SOA', NS2)).answers[0]!
  assert.equal(soa.type === 'SOA' && soa.data.serial, 7)
})

test('every fault is seen by the client as what it is', async () => {
  const outcome: Record<string, string> = {
    servfail: 'SERVFAIL',
    nxdomain: 'NXDOMAIN',
    refused: 'REFUSED',
    drop: 'timeout',
    delay: 'timeout',
    truncate: 'truncated',
    lame: 'NOERROR',
    'wrong-id': 'mismatched',
    garbage: 'malformed',
    dnssec: 'NOERROR',
  }
  const faults: ZoneFault[] = FAULT_KINDS.map((kind) => ({ kind, name: `${kind}.example.test` }))
  const records = FAULT_KINDS.map((kind) => a(`${kind}.example.test`, '192.0.2.1'))
  await using dns = await startTestDns([zone('example.test', records, { faults })])
  await Promise.all(
    FAULT_KINDS.map(async (kind) => {
      const seen = await ask(dns, `${kind}.example.test`, 'A', NS1, SILENCES.has(kind) ? impatient : client)
      assert.equal(seen.error?.kind ?? seen.rcode, outcome[kind], kind)
      if (kind === 'lame') assert.equal(seen.flags?.authoritative, false)
    }),
  )
  const [resolver] = dns.resolvers
  const bogus = await client.ask(resolver!, 'dnssec.example.test', 'A', { recursion: true })
  assert.equal(bogus.rcode, 'SERVFAIL')
  assert.equal(bogus.extendedError?.code, 6)
  const how = { recursion: true, checkingDisabled: true }
  assert.equal((await client.ask(resolver!, 'dnssec.example.test', 'A', how)).answers.length, 1)
})

test('the resolver answers without authority, fails where zones fail, and knows no other names', async () => {
  const loop = [cname('x.example.test', 'y.example.test'), cname('y.example.test', 'x.example.test')]
  const faults: ZoneFault[] = [{ kind: 'drop', name: 'mute.example.test' }]
  const records = [a('www.example.test', '192.0.2.1'), ...loop]
  await using dns = await startTestDns([zone('example.test', records, { faults })])
  const resolve = (name: string) => client.ask(dns.resolvers[0]!, name, 'A', { recursion: true })
  const found = await resolve('www.example.test')
  assert.equal(found.answers.length, 1)
  assert.deepEqual([found.flags?.authoritative, found.flags?.recursionAvailable], [false, true])
  assert.equal((await resolve('mute.example.test')).rcode, 'SERVFAIL')
  assert.equal((await resolve('x.example.test')).rcode, 'SERVFAIL')
  assert.equal((await resolve('www.elsewhere')).rcode, 'NXDOMAIN')
})

test('a fault can be limited to one nameserver and one type', async () => {
  const faults: ZoneFault[] = [{ kind: 'servfail', onlyOn: NS2, type: 'A' }]
  await using dns = await startTestDns([zone('example.test', [a('www.example.test', '192.0.2.1')], { faults })])
  assert.equal((await ask(dns, 'www.example.test', 'A', NS1)).rcode, 'NOERROR')
  assert.equal((await ask(dns, 'www.example.test', 'A', NS2)).rcode, 'SERVFAIL')
  assert.equal((await ask(dns, 'www.example.test', 'TXT', NS2)).rcode, 'NOERROR')
})

test('an answer too big for UDP comes over TCP', async () => {
  const records = Array.from({ length: 40 }, (_, i) => txt('big.example.test', `${i} ${'y'.repeat(100)}`))
  await using dns = await startTestDns([zone('example.test', records)])
  const big = await ask(dns, 'big.example.test', 'TXT')
  assert.equal(big.transport, 'tcp')
  assert.equal(big.answers.length, 40)
})

test('junk, replies and foreign opcodes neither crash it nor make it talk to itself', async () => {
  await using dns = await startTestDns([zone('example.test', [a('www.example.test', '192.0.2.1')])])
  const port = dns.portFor(NS1)
  const udp = createSocket('udp4')
  const heard: Buffer[] = []
  udp.on('message', (packet) => heard.push(packet))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  const question = Buffer.concat([Buffer.from([3]), Buffer.from('www'), Buffer.from([0, 0, 1, 0, 1])])
  const reply = Buffer.concat([header(0x8000, 1), question])
  const junk = [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(600, 0xff), header(0, 9), header(0x8000, 0), reply]
  for (const packet of junk) udp.send(packet, port, '127.0.0.1')
  udp.send(Buffer.concat([header(0x2800, 1), question]), port, '127.0.0.1')
  await once(udp, 'message')
  udp.close()
  const rcodes = heard.map((packet) => packet.readUInt16BE(2) & 15)
  assert.deepEqual(rcodes, [4], 'only the foreign opcode is answered: NOTIMP')

  const tcp = connect(port, '127.0.0.1')
  tcp.write(Buffer.from([0, 3, 1, 2, 3]))
  await once(tcp, 'close')
  assert.equal((await ask(dns, 'www.example.test', 'A')).rcode, 'NOERROR')
})

test('closing ends open connections and waiting answers', async () => {
  const dns = await startTestDns([zone('example.test', [], { faults: [{ kind: 'delay', delayMs: 60_000 }] })])
  const waiting = ask(dns, 'www.example.test', 'A', NS1, impatient)
  const tcp = connect(dns.portFor(NS1), '127.0.0.1')
  await once(tcp, 'connect')
  const ended = once(tcp, 'close')
  tcp.resume()
  await dns[Symbol.asyncDispose]()
  await ended
  assert.notEqual((await waiting).error, null)
})

const SILENCES = new Set<string>(['drop', 'delay', 'wrong-id', 'garbage'])

function header(flags: number, questions: number): Buffer {
  const packet = Buffer.alloc(12)
  packet.writeUInt16BE(7, 0)
  packet.writeUInt16BE(flags, 2)
  packet.writeUInt16BE(questions, 4)
  return packet
}
