import assert from 'node:assert/strict'
import type { BlockList } from 'node:net'
import { test } from 'node:test'
import { isAmong, networkOf, readNetworks, siteOf } from './network.ts'

test('an IPv4 address is its own network, also when it arrives in IPv6 clothes', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::FFFF:192.0.2.7'), '192.0.2.7')
})

test('all addresses of a /64 are one network, however they are written', () => {
  const spellings = [
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:f:f:f:f',
    '2001:db8:1:2:0:0:0:9',
    '2001:db8:1:2::192.0.2.1',
  ]
  for (const spelling of spellings) assert.equal(networkOf(spelling), '2001:db8:1:2::/64', spelling)
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'))
})

test('no address is a network as well', () => {
  assert.equal(networkOf(undefined), 'unknown')
})

test('the site of an IPv6 network is its /48, and IPv4 has none', () => {
  assert.equal(siteOf(networkOf('2001:db8:1:2::1')), '2001:db8:1::/48')
  assert.equal(siteOf(networkOf('2001:db8:1:ffff::1')), '2001:db8:1::/48')
  assert.equal(siteOf(networkOf('192.0.2.7')), undefined)
  assert.equal(siteOf('unknown'), undefined)
})

test('networks are read as people write them, and junk is none', () => {
  const networks = readNetworks(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']) as BlockList
  const inside = ['10.9.8.7', '::ffff:10.9.8.7', '192.0.2.7', '2001:db8:1::1', '::1']
  for (const address of inside) assert.equal(isAmong(networks, address), true, address)
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '', 'junk', undefined]) {
    assert.equal(isAmong(networks, address), false, String(address))
  }
  for (const junk of ['10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::/129', '10.0.0.0/8/8', 'proxy', '10.0.0.0/-1', '']) {
    assert.equal(readNetworks([junk]), undefined, junk)
  }
})
