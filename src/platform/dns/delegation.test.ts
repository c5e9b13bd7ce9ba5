import assert from 'node:assert/strict'
import test from 'node:test'
import { a, alias, cname, ns, NS1, NS2, onlyOn, startTestDns, type TestDns, zone } from '../../../test/harness/dns.ts'
import { systemClock } from '../clock.ts'
import { isPublicAddress } from './address.ts'
import { createDnsClient } from './client.ts'
import { type DelegationNeeds, findZone } from './delegation.ts'
import { startDnsServer } from './server.ts'
import { zonesFrom } from './zone.ts'

const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000 })

const find = (dns: TestDns, name: string, changes: Partial<DelegationNeeds> = {}) =>
  findZone({ ask: client.ask, resolvers: dns.resolvers, mayAsk: () => true, portFor: dns.portFor, ...changes }, name)

test('the zone and both nameservers are found from the name, also through a CNAME', async () => {
  await using dns = await startTestDns([
    zone('example.test', [cname('www.example.test', 'x.platform.test'), a('deep.down.example.test', '192.0.2.1')]),
    zone('platform.test', [a('x.platform.test', '192.0.2.1')]),
  ])
  for (const name of ['www.example.test', 'deep.down.example.test', 'example.test', 'missing.example.test']) {
    const found = await find(dns, name)
    assert.equal(found.zone, 'example.test', name)
    assert.deepEqual(
      found.nameservers.map((server) => server.name),
      [NS1, NS2],
    )
    assert.deepEqual(found.nameservers[1]?.addresses, [{ address: '127.0.0.1', port: dns.portFor(NS2) }])
  }
})

test('the list of the parent and the list of the zone itself are both asked', async () => {
  await using dns = await startTestDns([
    zone('example.test', [
      onlyOn('registry', ns('example.test', 'old.example.test')),
      a('old.example.test', '127.0.0.1'),
      onlyOn(NS1, ns('example.test', 'new.example.test')),
      a('new.example.test', '127.0.0.1'),
    ]),
  ])
  const { nameservers } = await find(dns, 'www.example.test')
  assert.deepEqual(
    nameservers.map(({ name }) => name),
    [NS1, NS2, 'old.example.test', 'new.example.test'],
  )
})

test('a subzone on the same servers is the zone, not its parent', async () => {
  await using dns = await startTestDns([
    zone('example.test'),
    zone('sub.example.test', [
      cname('www.sub.example.test', 'b.example.test'),
      alias('sub.example.test', 'b.example.test'),
    ]),
  ])
  assert.equal((await find(dns, 'www.sub.example.test')).zone, 'sub.example.test')
  assert.equal((await find(dns, 'sub.example.test')).zone, 'sub.example.test')
})

test('a name that nobody registered ends at the zone above it', async () => {
  await using dns = await startTestDns([])
  const found = await find(dns, 'www.unregistered.test')
  assert.equal(found.zone, 'test')
  assert.equal(found.rcode, 'NXDOMAIN')
})

test('a server without the top level still leads to the zones that it holds', async () => {
  const records = [ns('example.test', 'ns.example.test'), a('ns.example.test', '127.0.0.1')]
  const zones = zonesFrom(() => [{ apex: 'example.test', serial: 1, records }])
  const listener = { nameserver: 'ns.example.test', address: '127.0.0.1', port: 0, zones }
  await using server = await startDnsServer({ clock: systemClock, listeners: [listener] })
  const { port } = server.listeners[0]!
  const options = { ask: client.ask, mayAsk: () => true, portFor: () => port }
  const found = await findZone({ ...options, resolvers: [{ address: '127.0.0.1', port }] }, 'www.example.test')
  assert.equal(found.zone, 'example.test')
  assert.deepEqual(found.nameservers[0]?.addresses, [{ address: '127.0.0.1', port }])
})

test('a nameserver on a private address is never asked', async () => {
  const hidden = ['10.0.0.53', '169.254.169.254', '127.0.0.1'].map((address) => a('ns.hidden.test', address))
  const records = [ns('hidden.test', 'ns.hidden.test'), ...hidden]
  await using dns = await startTestDns([{ apex: 'hidden.test', serial: 1, records }])
  const asked: string[] = []
  const ask: DelegationNeeds['ask'] = (server, ...rest) => {
    asked.push(server.address)
    return client.ask(server, ...rest)
  }
  const { nameservers } = await find(dns, 'www.hidden.test', { ask, mayAsk: isPublicOrLoopback })
  assert.deepEqual(nameservers[0]?.blocked, ['10.0.0.53', '169.254.169.254'])
  assert.deepEqual([...new Set(asked)], ['127.0.0.1'])

  const strict = await find(dns, 'www.hidden.test', { mayAsk: isPublicAddress })
  assert.deepEqual(
    strict.nameservers.flatMap(({ addresses }) => addresses),
    [],
  )
})

test('silent nameservers are still named, silent resolvers leave nothing', async () => {
  const records = [ns('silent.test', 'dead.silent.test'), a('dead.silent.test', '127.0.0.1')]
  await using dns = await startTestDns([{ apex: 'silent.test', serial: 1, records }])
  const silent = await find(dns, 'www.silent.test')
  assert.deepEqual([silent.zone, silent.rcode], ['silent.test', null])
  assert.deepEqual(
    silent.nameservers.map(({ name }) => name),
    ['dead.silent.test'],
  )

  const resolvers = [{ address: '127.0.0.1', port: dns.portFor('nobody') }]
  const nothing = { zone: null, nameservers: [], skipped: 0, rcode: null }
  assert.deepEqual(await find(dns, 'www.silent.test', { resolvers }), nothing)
})

test('of two resolvers one may be dead', async () => {
  await using dns = await startTestDns([zone('example.test', [onlyOn(NS1, a('www.example.test', '192.0.2.1'))])])
  const resolvers = [{ address: '127.0.0.1', port: dns.portFor('nobody') }, ...dns.resolvers]
  assert.equal((await find(dns, 'www.example.test', { resolvers })).zone, 'example.test')
})

// The registry itself is on loopback in these tests.
const isPublicOrLoopback = (address: string) => address === '127.0.0.1' || isPublicAddress(address)
