import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createVault, VaultError } from './vault.ts'

const vault = createVault(randomBytes(32))
const place = { purpose: 'certificate key', id: 'cert_1' }

const reasonOf = (open: () => unknown) => {
  try {
    open()
  } catch (error) {
    assert.ok(error instanceof VaultError)
    return error.reason
  }
  return 'opened'
}

test('what is sealed opens at its own place, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (secret, purpose, id) => {
      assert.equal(vault.open({ purpose, id }, vault.seal({ purpose, id }, secret)), secret)
    }),
    { numRuns: 200 },
  )
})

test('a sealed secret does not open at another row or for another purpose', () => {
  const sealed = vault.seal(place, 'secret')
  assert.equal(
    reasonOf(() => vault.open({ ...place, id: 'cert_2' }, sealed)),
    'altered',
  )
  assert.equal(
    reasonOf(() => vault.open({ ...place, purpose: 'account key' }, sealed)),
    'altered',
  )
  assert.equal(
    reasonOf(() => vault.open({ purpose: 'certificate keyc', id: 'ert_1' }, sealed)),
    'altered',
  )
})

test('another master key is named in the refusal', () => {
  const sealed = vault.seal(place, 'secret')
  const other = createVault(randomBytes(32))
  assert.throws(
    () => other.open(place, sealed),
    (error: VaultError) => {
      assert.equal(error.reason, 'other_key')
      assert.match(error.message, new RegExp(vault.keyId))
      assert.match(error.message, /cert_1/)
      return true
    },
  )
})

test('one changed character anywhere never opens', () => {
  const sealed = vault.seal(place, 'a secret of some length')
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'B', '.', '_', '9'), (at, character) => {
      const changed = sealed.slice(0, at) + character + sealed.slice(at + 1)
      // The last base64url character has bits that carry nothing.
      fc.pre(changed !== sealed && at < sealed.length - 1)
      assert.notEqual(
        reasonOf(() => vault.open(place, changed)),
        'opened',
      )
    }),
    { numRuns: 200 },
  )
})

test('sealing twice gives two envelopes, and none shows the secret', () => {
  const [first, second] = [vault.seal(place, 'secret'), vault.seal(place, 'secret')]
  assert.notEqual(first, second)
  assert.ok(!Buffer.from(first.split('.')[3] ?? '', 'base64url').includes('secret'))
})

test('a master key of another length and junk for an envelope are refused', () => {
  assert.throws(() => createVault(randomBytes(16)), /32 bytes/)
  for (const junk of ['', 'v1', 'v2.a.b.c', 'v1...', 'plain text']) {
    assert.equal(
      reasonOf(() => vault.open(place, junk)),
      'malformed',
    )
  }
})
