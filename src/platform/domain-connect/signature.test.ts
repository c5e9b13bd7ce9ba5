import assert from 'node:assert/strict'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { canonicalQuery, isSignedBy, publicKeyRecords, readPublicKey, signedQuery } from './signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PARAMETERS = { state: 'a+b/c', host: 'www', domain: 'example.test', redirect_uri: "https://x.test/?a=1&b='(*)!" }
const CANONICAL =
  'domain=example.test&host=www&redirect_uri=https%3A%2F%2Fx.test%2F%3Fa%3D1%26b%3D%27%28%2A%29%21&state=a%2Bb%2Fc'

test('what is signed is sorted by name and encoded as RFC 3986 has it, whatever the order it was given in', () => {
  assert.equal(canonicalQuery(PARAMETERS), CANONICAL)
  assert.equal(canonicalQuery(Object.fromEntries(Object.entries(PARAMETERS).toReversed())), CANONICAL)
})

test('the signature is RSA with SHA-256 over exactly these characters, in plain base64', () => {
  const query = signedQuery(PARAMETERS, privateKey, '_dcpubkeyv1')
  const [, signed, signature] = /^(.*)&sig=([^&]+)&key=_dcpubkeyv1$/.exec(query) ?? []
  assert.equal(signed, CANONICAL)
  const base64 = decodeURIComponent(signature as string)
  assert.match(base64, /^[A-Za-z0-9+/]{342}==$/)
  assert.ok(createVerify('RSA-SHA256').update(CANONICAL).verify(publicKey, base64, 'base64'))
})

test('a changed, added, removed or repeated parameter is noticed, and so is another key', () => {
  const query = signedQuery(PARAMETERS, privateKey, 'k')
  assert.equal(isSignedBy(query, publicKey), true)
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  assert.equal(isSignedBy(query, other), false)
  for (const altered of [
    query.replace('host=www', 'host=api'),
    `${query}&host=api`,
    query.replace('host=www&', ''),
    query.replace(/sig=[^&]+&/, ''),
    query.replace(/sig=[^&]+/, 'sig=%zz'),
    `${query}&sig=AAAA`,
    query.replace('&key=k', ''),
    CANONICAL,
    '',
  ]) {
    assert.equal(isSignedBy(altered, publicKey), false, altered)
  }
})

test('the key is published in pieces that fit a TXT string, and read from them in any order', () => {
  const records = publicKeyRecords(publicKey)
  assert.ok(records.length > 1)
  for (const record of records) assert.match(record, /^p=\d,a=RS256,d=[A-Za-z0-9+/=]{1,200}$/)
  assert.ok(readPublicKey(records.toReversed())?.equals(publicKey))
  assert.ok(readPublicKey(records.map((record) => record.replace('a=RS256,', '')))?.equals(publicKey))
  for (const junk of [
    [],
    ['v=spf1 -all'],
    ['p=1,a=RS256,d=AAAA'],
    records.slice(1),
    [...records, 'p=9,a=ES256,d=AA'],
  ]) {
    assert.equal(readPublicKey(junk), undefined, junk.join(' '))
  }
})
