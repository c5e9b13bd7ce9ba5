import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppliedRecord, type ConnectTemplate, replaces, resolveTemplate } from './template.ts'

const TEMPLATE: ConnectTemplate = {
  providerId: 'pets.example.com',
  providerName: 'Petstore',
  serviceId: 'site',
  serviceName: 'Site',
  version: 1,
  description: '',
  variableDescription: '',
  syncPubKeyDomain: 'pets.example.com',
  syncRedirectDomain: 'pets.example.com',
  hostRequired: true,
  records: [
    { type: 'CNAME', groupId: 'site', host: '@', ttl: 60, pointsTo: '%target%.pets.example.com' },
    { type: 'TXT', groupId: 'proof', host: '_p', ttl: 60, data: 'v=%proof%', txtConflictMatchingMode: 'None' },
  ],
}
const REQUEST = { domain: 'example.test', host: 'www', groups: ['site'], values: { target: 'abc', proof: '%host%' } }

test('the records of the chosen groups are filled in, below the host that is asked for', () => {
  const chosen = resolveTemplate(TEMPLATE, REQUEST)
  const cname = { name: 'www.example.test', type: 'CNAME', ttl: 60, value: 'abc.pets.example.com' }
  assert.deepEqual(chosen, { ok: true, records: [cname] })
  // What was filled in is not read again, whatever it looks like.
  const text = { name: '_p.www.example.test', type: 'TXT', ttl: 60, value: 'v=%host%' }
  assert.deepEqual(resolveTemplate(TEMPLATE, { ...REQUEST, groups: [] }), { ok: true, records: [cname, text] })
})

test('a missing variable, an unknown group and a missing host are refused', () => {
  for (const [change, reason] of [
    [{ values: {} }, /lacks target/],
    [{ groups: ['mail'] }, /no group mail/],
    [{ host: '' }, /needs a host/],
  ] as const) {
    const { ok, reason: told = '' } = { reason: '', ...resolveTemplate(TEMPLATE, { ...REQUEST, ...change }) }
    assert.equal(ok, false)
    assert.match(told, reason)
  }
})

test('a record takes away what cannot stand beside it, and nothing else', () => {
  const at = { name: 'www.example.test', ttl: 60 }
  const standing = (type: string, value = 'x', name = at.name) => ({ type, value, name })
  const cname: AppliedRecord = { ...at, type: 'CNAME', value: 'y' }
  const address: AppliedRecord = { ...at, type: 'A', value: '192.0.2.1' }
  const text: AppliedRecord = { ...at, type: 'TXT', value: 'v=2', replacesPrefix: 'v=' }
  assert.deepEqual(
    ['A', 'TXT', 'MX', 'CNAME'].map((type) => replaces(cname, standing(type))),
    [true, true, true, true],
  )
  assert.deepEqual(
    ['A', 'AAAA', 'ALIAS', 'CNAME', 'TXT', 'MX'].map((type) => replaces(address, standing(type))),
    [true, true, true, true, false, false],
  )
  assert.equal(replaces(text, standing('TXT', 'v=1')), true)
  assert.equal(replaces(text, standing('TXT', 'w=1')), false)
  assert.equal(replaces(cname, standing('A', 'x', 'api.example.test')), false)
})
