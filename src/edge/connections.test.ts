import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Connections, networkOf } from './connections.ts'

test('a network is an IPv4 address or an IPv6 /64, however it is written', () => {
  const expected = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
    '2001:db8:1:2::6': '2001:db8:1:2',
    '2001:db8::6': '2001:db8:0:0',
    '::1': '0:0:0:0',
    'fe80::1%eth0': 'fe80:0:0:0',
    '': '',
  }
  for (const [address, network] of Object.entries(expected)) assert.equal(networkOf(address), network, address)
})

test('a network holds so many connections and no more, and gets its places back', () => {
  const connections = new Connections(2)
  assert.deepEqual([1, 2, 3].map(() => connections.enter('2001:db8::1')), [true, true, false])
  assert.equal(connections.enter('2001:db8::ffff'), false)
  assert.equal(connections.enter('192.0.2.7'), true)
  connections.leave('2001:db8::2')
  assert.equal(connections.enter('2001:db8::3'), true)
  connections.leave('192.0.2.7')
  connections.leave('2001:db8::1')
  connections.leave('2001:db8::1')
  assert.equal(connections.networks, 0)
})
