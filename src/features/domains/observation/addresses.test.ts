import assert from 'node:assert/strict'
import test from 'node:test'
import { a, aaaa, startTestDns, zone } from '../../../../test/harness/dns.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createDnsClient } from '../../../platform/dns/client.ts'
import { lookUpAddresses, rememberAddresses } from './addresses.ts'

const HOST = 'www.platform.test'

test('addresses of which one type could not be asked are partial, and asked for again within seconds', async () => {
  const own = zone('platform.test', [a(HOST, '198.51.100.1'), aaaa(HOST, '2001:db8::1')])
  await using dns = await startTestDns([own])
  const needs = { dns: createDnsClient({ clock: systemClock, timeoutMs: 20_000 }), resolvers: dns.resolvers }
  let now = 0
  const addressesOf = rememberAddresses({ ...systemClock, now: () => now }, (name) => lookUpAddresses(needs, name))
  own.faults = [{ kind: 'servfail', name: HOST, type: 'A' }]
  const partial = { v4: [], v6: ['2001:db8::1'], isPartial: true }
  assert.deepEqual(await addressesOf(HOST), partial)
  own.faults = []
  now = 4999
  assert.deepEqual(await addressesOf(HOST), partial, 'nobody waits for silent resolvers at every view')
  now = 5000
  const whole = { v4: ['198.51.100.1'], v6: ['2001:db8::1'], isPartial: false }
  assert.deepEqual(await addressesOf(HOST), whole)
  dns.zones.length = 0
  now = 64_999
  assert.deepEqual(await addressesOf(HOST), whole)
})
