import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, decode, encode } from 'dns-packet'
import { recordFromWire } from './record.ts'

test('a NUL in a name or a text of a reply is spelled as zone files do, and never kept', () => {
  const name = 'a\0.example.test'
  const sent: Answer[] = [
    { name, type: 'CNAME', data: 'b\0c.example' },
    { name, type: 'NS', data: 'b\0c.example' },
    { name, type: 'TXT', data: 'x\0y' },
    { name, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'x\0y' } },
    { name, type: 'MX', data: { preference: 1, exchange: 'b\0c.example' } },
    { name, type: 'SOA', data: { mname: 'b\0c.example', rname: 'b\0c.example' } },
  ]
  const records = decode(encode({ type: 'response', answers: sent })).answers!.map(recordFromWire)
  assert.equal(records.length, sent.length)
  for (const record of records) {
    assert.equal(record?.name, 'a\\000.example.test')
    assert.doesNotMatch(JSON.stringify(record), /u0000/)
  }
  assert.equal(records[0]?.data, 'b\\000c.example')
})
