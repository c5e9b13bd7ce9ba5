import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { canonicalAddress, formatServerAddress, isPublicAddress, parseServerAddress } from './address.ts'

test('public addresses are public', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('no private, local or special address is public, in any spelling', () => {
  const addresses = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    '',
    'localhost',
    '127.1',
  ]
  for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
})

test('one address has one spelling', () => {
  assert.equal(canonicalAddress('2001:DB8:0:0::1'), '2001:db8::1')
  assert.equal(canonicalAddress('::ffff:127.0.0.1'), canonicalAddress('::FFFF:7F00:1'))
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const canonical = canonicalAddress(address)
      assert.equal(canonicalAddress(canonical), canonical)
    }),
  )
})

test('server addresses are read with and without port', () => {
  assert.deepEqual(parseServerAddress('192.0.2.1'), { address: '192.0.2.1', port: 53 })
  assert.deepEqual(parseServerAddress(' 192.0.2.1:5353 '), { address: '192.0.2.1', port: 5353 })
  assert.deepEqual(parseServerAddress('2001:DB8::1'), { address: '2001:db8::1', port: 53 })
  assert.deepEqual(parseServerAddress('[2001:db8::1]:5353'), { address: '2001:db8::1', port: 5353 })
  assert.deepEqual(parseServerAddress('[::1]'), { address: '::1', port: 53 })
  const refused = ['', 'localhost', 'dns.example:53', '192.0.2.1:0', '192.0.2.1:65536', '[192.0.2.1]:53', '1.2.3:53']
  for (const text of refused) {
    assert.equal(parseServerAddress(text), undefined, text)
  }
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.integer({ min: 1, max: 65_535 }), (address, port) => {
      const server = { address: canonicalAddress(address), port }
      assert.deepEqual(parseServerAddress(formatServerAddress(server)), server)
    }),
  )
})
