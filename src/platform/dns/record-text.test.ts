import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestDns, zone } from '../../../test/harness/dns.ts'
import { systemClock } from '../clock.ts'
import { createDnsClient } from './client.ts'
import { readRecord, recordText, ZONE_RECORD_TYPES } from './record-text.ts'
import type { ZoneRecord } from './zone.ts'

const read = (name: string, type: string, value: string, ttl = 60) =>
  readRecord('example.test', { name, type, ttl, value })

function accepted(name: string, type: string, value: string): ZoneRecord {
  const reading = read(name, type, value)
  assert.ok(reading.ok, `${name} ${type} ${value}`)
  return reading.record
}

test('names are read relative to the zone or in full', () => {
  const names = {
    '@': 'example.test',
    '': 'example.test',
    WWW: 'www.example.test',
    'www.example.test': 'www.example.test',
    'a.b.example.test.': 'a.b.example.test',
    '*': '*.example.test',
    _petstore: '_petstore.example.test',
  }
  for (const [typed, name] of Object.entries(names)) assert.equal(accepted(typed, 'A', '192.0.2.1').name, name)
  for (const typed of ['www.other.test.', 'a..b', 'a b', 'ü', 'x'.repeat(64), `${'abcdefgh.'.repeat(27)}x`]) {
    assert.equal(read(typed, 'A', '192.0.2.1').ok, false, typed)
  }
})

test('values are checked by type and written back as they were typed', () => {
  const values: Record<string, string> = {
    A: '192.0.2.1',
    AAAA: '2001:db8::1',
    CNAME: 'x.platform.test',
    ALIAS: 'x.platform.test',
    ANAME: 'x.platform.test',
    NS: 'ns1.example.test',
    TXT: '"v=spf1 -all"',
    CAA: '128 issue "ca.example; accounturi=x"',
    MX: '10 mail.example.test',
  }
  for (const type of ZONE_RECORD_TYPES) assert.equal(recordText(accepted('www', type, values[type]!)), values[type])
  const bad = { A: '2001:db8::1', AAAA: '1.2.3.4', CNAME: 'a b', NS: '', TXT: '', CAA: 'issue ca', MX: 'mail' }
  for (const [type, value] of Object.entries({ ...bad, CAA2: 'x', SOA: 'x' })) {
    const reading = read('www', type, value)
    assert.ok(!reading.ok && reading.message.length > 20, type)
  }
  for (const ttl of [-1, 1.5, NaN, 1e9]) assert.equal(read('www', 'A', '192.0.2.1', ttl).ok, false)
})

test('whatever is accepted can be served, and a zone that cannot be is SERVFAIL', async () => {
  const records = [accepted('www', 'TXT', 'x'.repeat(2000)), accepted('www', 'CAA', '0 issue ";"')]
  const broken: ZoneRecord = { name: 'broken.example.test', type: 'TXT', ttl: 60, data: undefined as unknown as string }
  await using dns = await startTestDns([zone('example.test', [...records, broken])])
  const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000 })
  const [resolver] = dns.resolvers
  assert.equal((await client.ask(resolver!, 'www.example.test', 'TXT')).rcode, 'NOERROR')
  assert.equal((await client.ask(resolver!, 'www.example.test', 'CAA')).answers.length, 1)
  assert.equal((await client.ask(resolver!, 'broken.example.test', 'TXT')).rcode, 'SERVFAIL')
})
