import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseSlug } from './slug.ts'

test('a slug is a DNS label of 3 to 63 letters, digits and hyphens, in lower case', () => {
  assert.equal(parseSlug(' Kennel-7 '), 'kennel-7')
  assert.equal(parseSlug('a'.repeat(63)), 'a'.repeat(63))
  const noLabels = [
    '',
    'ab',
    'a'.repeat(64),
    '-kennel',
    'kennel-',
    'ken_nel',
    'ken nel',
    'ken.nel',
    'kénnel',
    '../x',
    '~12',
  ]
  for (const bad of noLabels) {
    assert.throws(() => parseSlug(bad), { code: 'invalid_request' }, bad)
  }
})

test('encoded names and names that people take for the platform are refused', () => {
  for (const bad of ['xn--kennel', 'ab--cd', 'www', 'API', 'admin', 'ns1', 'ns23', 'wpad', 'dashboard', 'staging']) {
    assert.throws(() => parseSlug(bad), { code: 'invalid_request' }, bad)
  }
  const phishing = 'account security signin auth sso billing mta-sts postmaster hostmaster secure sign-in verify'
  for (const bad of phishing.split(' ')) assert.throws(() => parseSlug(bad), /reserved for the platform/, bad)
})

test('whatever is accepted is its own canonical form', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        const slug = parseSlug(text)
        assert.equal(parseSlug(slug), slug)
        assert.match(slug, /^[a-z0-9-]{3,63}$/)
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'invalid_request')
      }
    }),
  )
})
