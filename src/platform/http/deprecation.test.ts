import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deprecationNotices } from './deprecation.ts'

const DEPRECATION = { since: '2026-11-01', sunset: '2030-12-05', successor: '/pets', advice: '' }

test('addresses are https for whoever came so, at the port that all names share there', () => {
  const plain = { production: 'http://localhost:4000/v1', staging: 'http://staging.localhost:4001/v1' }
  const documentationUrl = 'http://localhost:4000/docs'
  const notices = deprecationNotices(DEPRECATION, { baseUrls: plain, documentationUrl })
  const addresses = (environment: 'production' | 'staging', calledUrl: string) =>
    [...String(notices(environment, calledUrl).at(-1)).matchAll(/<([^>]+)>/g)].map(([, address]) => address)

  assert.deepEqual(addresses('staging', plain.staging), [
    'http://localhost:4000/docs/versioning',
    'http://staging.localhost:4001/v1/pets',
  ])
  assert.equal(notices('staging', plain.staging), notices('staging', plain.staging), 'it is ready-made')
  assert.deepEqual(addresses('staging', 'https://staging.localhost:4443/v1'), [
    'https://localhost:4443/docs/versioning',
    'https://staging.localhost:4443/v1/pets',
  ])
  assert.deepEqual(addresses('production', 'https://localhost/v1'), [
    'https://localhost/docs/versioning',
    'https://localhost/v1/pets',
  ])
})
