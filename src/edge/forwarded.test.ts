import assert from 'node:assert/strict'
import type { BlockList } from 'node:net'
import { test } from 'node:test'
import { readNetworks } from '../platform/network.ts'
import { forwardedClient } from './forwarded.ts'

const trusted = readNetworks(['10.0.0.0/8', '2001:db8:ffff::/48']) as BlockList
const client = (headers: Record<string, string>, peer = '10.0.0.1') => forwardedClient(headers, peer, trusted).address

test('the client is the first from the right that is no proxy of ours, whatever stands left of it', () => {
  const cases: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['203.0.113.9, 192.0.2.7, 10.0.0.3,10.0.0.2', '192.0.2.7'],
    ['10.0.0.9', '10.0.0.9'],
    ['192.0.2.7:5678', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:443, 2001:db8:ffff::1', '2001:db8::7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, unknown', '10.0.0.1'],
    ['192.0.2.7, junk, 10.0.0.2', '10.0.0.2'],
    ['', '10.0.0.1'],
    [',,,', '10.0.0.1'],
    ['fe80::1%eth0', '10.0.0.1'],
    [`${'9.9.9.9,'.repeat(2000)}192.0.2.7`, '192.0.2.7'],
    [`192.0.2.7${', 10.0.0.2'.repeat(30)}`, '10.0.0.2'],
  ]
  for (const [header, expected] of cases) assert.equal(client({ 'x-forwarded-for': header }), expected, header)
})

test('Forwarded is understood where there is no X-Forwarded-For, which clients could else add', () => {
  const cases: [string, string][] = [
    ['for=192.0.2.7', '192.0.2.7'],
    ['For="[2001:db8::7]:4711";proto=https', '2001:db8::7'],
    ['for=203.0.113.9, by=x;for=192.0.2.7;host=a.example, for=10.0.0.2', '192.0.2.7'],
    ['for=192.0.2.7, for=_hidden', '10.0.0.1'],
    ['for=", for=192.0.2.7', '192.0.2.7'],
    ['proto=https', '10.0.0.1'],
  ]
  for (const [header, expected] of cases) assert.equal(client({ forwarded: header }), expected, header)
  assert.equal(client({ forwarded: 'for=203.0.113.9', 'x-forwarded-for': '192.0.2.7' }), '192.0.2.7')
})

test('the last proxy says whether the client came over TLS', () => {
  const says = (headers: Record<string, string>) => forwardedClient(headers, '::ffff:10.0.0.1', trusted).isEncrypted
  assert.equal(says({}), undefined)
  assert.equal(says({ 'x-forwarded-proto': 'https' }), true)
  assert.equal(says({ 'x-forwarded-proto': 'https, http' }), false)
  assert.equal(says({ forwarded: 'for=192.0.2.7;proto=http, for=10.0.0.2;proto=HTTPS' }), true)
})
