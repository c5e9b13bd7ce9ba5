import assert from 'node:assert/strict'
import test from 'node:test'
import { readHostnameInput } from './hostname-input.ts'
import { adviseRecord, type RecordInput } from './record.ts'

const platform: RecordInput = {
  target: 'k3x9.petstore.example',
  addresses: { v4: ['198.51.100.1'], v6: ['2001:db8::1'] },
  proof: undefined,
  challengeTarget: undefined,
}

const advise = (raw: string, changes: Partial<RecordInput> = {}) => {
  const domain = readHostnameInput(raw, [])
  assert.ok(domain.ok)
  return adviseRecord(domain, { ...platform, ...changes })
}

test('a subdomain gets a CNAME with its label, the target and TTL 3600', () => {
  const { record, alternatives, proof } = advise('www.example.com')
  const { target } = platform
  assert.deepEqual(record, { type: 'CNAME', name: 'www', fullName: 'www.example.com', ttl: 3600, value: target })
  assert.deepEqual([alternatives, proof], [[], null])
})

test('an apex gets an ALIAS, and the addresses for providers without one', () => {
  const { record, alternatives, notes } = advise('example.com')
  assert.deepEqual([record.type, record.name, record.value], ['ALIAS', '@', platform.target])
  assert.deepEqual(
    alternatives.map(({ type, value }) => `${type} ${value}`),
    ['A 198.51.100.1', 'AAAA 2001:db8::1'],
  )
  assert.match(notes.join(' '), /ANAME.*some do not offer it.*A 198\.51\.100\.1, AAAA 2001:db8::1/)
  assert.match(advise('example.com', { addresses: { v4: [], v6: [] } }).notes.join(' '), /www\.example\.com/)
})

test('a hostname that needs a proof also gets its TXT record, and the reason', () => {
  assert.deepEqual(advise('www.example.com', { proof: { value: 'abc', need: 'always' } }).proof, {
    type: 'TXT',
    name: '_petstore.www',
    fullName: '_petstore.www.example.com',
    value: 'abc',
    ttl: 3600,
  })
  const { proof, notes } = advise('example.com', { proof: { value: 'abc', need: 'address' } })
  assert.equal(proof?.name, '_petstore')
  assert.match(notes[0] ?? '', /Create both records.*another project waits for it too/)
})
