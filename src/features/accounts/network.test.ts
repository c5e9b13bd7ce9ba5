import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

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
