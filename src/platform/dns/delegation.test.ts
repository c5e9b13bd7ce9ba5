import assert from 'node:assert/strict'
import test from 'node:test'
import { a, alias, cname, ns, NS1, NS2, onlyOn, startTestDns, zone } from '../../../test/harness/dns.ts'
import type { TestDns } from '../../../test/harness/dns.ts'
import { systemClock } from '../clock.ts'
import { isPublicAddress } from './address.ts'
import { createDnsClient } from './client.ts'
import { findZone } from './delegation.ts'
import type { DelegationOptions } from './delegation.ts'

const client = createDnsClient({ clock: systemClock, timeoutMs: 200, retryAfterMs: 100 })

const find = (dns: TestDns, name: string, changes: Partial<DelegationOptions> = {}) =>
  findZone({ ask: client.ask, resolvers: dns.resolvers, mayAsk: () => true, portFor: dns.portFor, ...changes }, name)

test('the zone and both nameservers are found from the name, also through a CNAME', async () => {
  await using dns = await startTestDns([
    zone('example.test', [cname('www.example.test', 'x.platform.test'), a('deep.down.example.test', '192.0.2.1')]),
    zone('platform.test', [a('x.platform.test', '192.0.2.1')]),
  ])
  for (const name of ['www.example.test', 'deep.down.example.test', 'example.test', 'missing.example.test']) {
    const found = await find(dns, name)
    assert.equal(found.zone, 'example.test', name)
    assert.deepEqual(found.nameservers.map((server) => server.name), [NS1, NS2])
    assert.deepEqual(found.nameservers[1]?.addresses, [{ address: '127.0.0.1', port: dns.portFor(NS2) }])
  }
})

test('referrals are followed to servers that the parent does not share', async () => {
  await using child = await startTestDns([zone('example.test', [a('www.example.test', '192.0.2.1')])])
  await using dns = await startTestDns([])
  const parent = dns.zones.find(({ apex }) => apex === 'test')!
  parent.records.push(ns('example.test', 'ns.example.test'), a('ns.example.test', '127.0.0.1'))
  const portFor = (name: string) => (name === 'ns.example.test' ? child.portFor(NS1) : dns.portFor(name))
  const { zone: apex, nameservers } = await find(dns, 'www.example.test', { portFor })
  assert.equal(apex, 'example.test')
  const listedByParentAndChild = ['ns.example.test', NS1, NS2]
  assert.deepEqual(nameservers.map(({ name }) => name), listedByParentAndChild)
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
  assert.equal(found.settled, true)
})

test('a server without the top level still leads to the zones that it holds', async () => {
  await using dns = await startTestDns([zone('example.test', [a('www.example.test', '192.0.2.1')])])
  dns.zones.splice(dns.zones.findIndex(({ apex }) => apex === 'test'), 1)
  assert.equal((await find(dns, 'www.example.test')).zone, 'example.test')
})

test('a nameserver on a private address is never asked', async () => {
  await using dns = await startTestDns([])
  dns.zones.find(({ apex }) => apex === 'test')!.records.push(ns('example.test', 'ns.example.test'))
  for (const address of ['10.0.0.53', '169.254.169.254', '127.0.0.1']) {
    dns.zones.find(({ apex }) => apex === 'test')!.records.push(a('ns.example.test', address))
  }
  const asked: string[] = []
  const ask: DelegationOptions['ask'] = (server, ...rest) => {
    asked.push(server.address)
    return client.ask(server, ...rest)
  }
  const { nameservers } = await find(dns, 'www.example.test', { ask, mayAsk: isPublicOrLoopback })
  assert.deepEqual(nameservers[0]?.blocked, ['10.0.0.53', '169.254.169.254'])
  assert.deepEqual([...new Set(asked)], ['127.0.0.1'])

  const strict = await find(dns, 'www.example.test', { mayAsk: isPublicAddress })
  assert.deepEqual(strict.nameservers.flatMap(({ addresses }) => addresses), [])
})

test('silent nameservers are still named, silent resolvers leave nothing', async () => {
  await using dns = await startTestDns([])
  dns.zones.find(({ apex }) => apex === 'registrar.test')!.records.push(a('dead.registrar.test', '127.0.0.1'))
  dns.zones.find(({ apex }) => apex === 'test')!.records.push(ns('silent.test', 'dead.registrar.test'))
  const silent = await find(dns, 'www.silent.test')
  assert.equal(silent.zone, 'silent.test')
  assert.equal(silent.settled, false)
  assert.deepEqual(silent.nameservers.map(({ name }) => name), ['dead.registrar.test'])

  const resolvers = [{ address: '127.0.0.1', port: dns.closedPort }]
  const nothing = { zone: null, nameservers: [], skipped: 0, settled: false }
  assert.deepEqual(await find(dns, 'www.example.test', { resolvers }), nothing)
})

test('of two resolvers one may be dead', async () => {
  await using dns = await startTestDns([zone('example.test', [onlyOn(NS1, a('www.example.test', '192.0.2.1'))])])
  const resolvers = [{ address: '127.0.0.1', port: dns.closedPort }, ...dns.resolvers]
  assert.equal((await find(dns, 'www.example.test', { resolvers })).zone, 'example.test')
})

// The registry itself is on loopback in these tests.
const isPublicOrLoopback = (address: string) => address === '127.0.0.1' || isPublicAddress(address)
