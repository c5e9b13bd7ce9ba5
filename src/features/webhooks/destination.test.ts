import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNetworks } from '../../platform/network.ts'
import { faultOf, findDestination } from './destination.ts'

const DNS: Record<string, { v4: string[]; v6: string[] }> = {
  'public.example.com': { v4: ['93.184.215.14'], v6: [] },
  'inside.example.com': { v4: ['10.0.0.5'], v6: ['fd00::1'] },
  'both.example.com': { v4: ['169.254.169.254', '93.184.215.14'], v6: [] },
  'nothing.example.com': { v4: [], v6: [] },
}
const needs = (networks?: string[]) => ({
  addressesOf: async (hostname: string) => DNS[hostname] ?? { v4: [], v6: [] },
  privateNetworks: networks && readNetworks(networks),
})
const find = (url: string, networks?: string[]) => findDestination(needs(networks), new URL(url))

test('the address that was judged is the one that is connected to', async () => {
  assert.deepEqual(await find('https://public.example.com/'), { ok: true, address: '93.184.215.14' })
  assert.deepEqual(await find('https://both.example.com/'), { ok: true, address: '93.184.215.14' })
})

test('what is not on the public internet is refused, however it is written', async () => {
  for (const host of [
    'inside.example.com',
    'nothing.example.com',
    'localhost',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
    '169.254.169.254',
    '192.168.1.1',
  ]) {
    assert.equal((await find(`http://${host}/`)).ok, false, host)
  }
})

test('the operator can let webhooks reach networks of their own', async () => {
  assert.deepEqual(await find('http://inside.example.com/', ['10.0.0.0/8']), { ok: true, address: '10.0.0.5' })
  assert.deepEqual(await find('http://localhost:3000/', ['127.0.0.0/8']), { ok: true, address: '127.0.0.1' })
  assert.equal((await find('http://192.168.1.1/', ['10.0.0.0/8'])).ok, false)
})

test('without TLS only where the operator is alone', () => {
  const plain = new URL('http://example.com/hooks')
  assert.match(faultOf(plain, { mayBePlain: false }) ?? '', /https/)
  assert.equal(faultOf(plain, { mayBePlain: true }), undefined)
  assert.equal(faultOf(new URL('https://example.com/hooks'), { mayBePlain: false }), undefined)
})
