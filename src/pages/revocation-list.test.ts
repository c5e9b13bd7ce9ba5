import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revocationListUrl } from './revocation-list.ts'

const urlFor = (production: string, staging: string, httpPort?: number) =>
  revocationListUrl({ baseUrl: new URL(production), stagingUrl: new URL(staging), httpPort })

test('the list of the internal CA is found over plain HTTP wherever there is a plain port', () => {
  assert.equal(urlFor('http://localhost:4000/v1', 'http://localhost:4001/v1'), 'http://localhost:4000/ca.crl')
  assert.equal(urlFor('https://api.pets.test/v1', 'https://staging.pets.test/v1', 80), 'http://api.pets.test/ca.crl')
  assert.equal(urlFor('https://api.pets.test/v1', 'https://s.pets.test/v1', 8080), 'http://api.pets.test:8080/ca.crl')
  assert.equal(urlFor('https://api.pets.test/v1', 'http://s.pets.test:81/v1'), 'http://api.pets.test:81/ca.crl')
  assert.equal(urlFor('https://api.pets.test/v1', 'https://staging.pets.test/v1'), undefined)
})
