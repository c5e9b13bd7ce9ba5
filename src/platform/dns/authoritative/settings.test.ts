import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDnsZone } from './settings.ts'

const real = { platformHost: 'pets.example', sandbox: false }

test('zone, addresses and nameservers are read; the platform host answers unless others are named', () => {
  assert.equal(readDnsZone({}, real), undefined)
  const listen = { PETSTORE_DNS_ZONE: 'ACME.pets.example.', PETSTORE_DNS_LISTEN: '0.0.0.0:53,[::]:5353' }
  assert.deepEqual(readDnsZone(listen, real), {
    zone: 'acme.pets.example',
    nameservers: ['pets.example'],
    listen: [
      { address: '0.0.0.0', port: 53 },
      { address: '::', port: 5353 },
    ],
  })
  const named = { PETSTORE_DNS_ZONE: 'acme.example', PETSTORE_DNS_NAMESERVERS: 'ns1.pets.example, ns2.pets.example' }
  const settings = readDnsZone(named, real)
  assert.ok(typeof settings === 'object')
  assert.deepEqual([settings.nameservers, settings.listen], [['ns1.pets.example', 'ns2.pets.example'], []])
})

test('the sandbox has a zone of its own', () => {
  const settings = readDnsZone({}, { platformHost: 'localhost', sandbox: true })
  assert.deepEqual(settings, { zone: 'acme.localhost', nameservers: ['localhost'], listen: [] })
})

test('what cannot be used is refused with a sentence that says what to write', () => {
  const refused: [Record<string, string>, RegExp][] = [
    [{ PETSTORE_DNS_LISTEN: '0.0.0.0:53' }, /need PETSTORE_DNS_ZONE beside them/],
    [{ PETSTORE_DNS_ZONE: 'pets.example' }, /must be a name of its own.*acme\.pets\.example/],
    [{ PETSTORE_DNS_ZONE: 'example' }, /must be a name of its own/],
    [{ PETSTORE_DNS_ZONE: 'acme.pets.example', PETSTORE_DNS_LISTEN: 'here' }, /such as 0\.0\.0\.0:53/],
    [{ PETSTORE_DNS_ZONE: 'acme.pets.example', PETSTORE_DNS_NAMESERVERS: 'a b' }, /must list the names/],
    [
      { PETSTORE_DNS_ZONE: 'acme.pets.example', PETSTORE_DNS_NAMESERVERS: 'ns1.acme.pets.example' },
      /none of them inside it/,
    ],
  ]
  for (const [environment, sentence] of refused) assert.match(String(readDnsZone(environment, real)), sentence)
})
