import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import test from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/harness/any-character.ts'
import { canonicalHostname, isWithin } from './hostname.ts'

test('spellings of one hostname become one name', () => {
  const spellings = ['www.example.com', 'WWW.Example.COM', 'www.EXAMPLE.com.:8080', 'www.example.com:']
  for (const spelling of spellings) assert.equal(canonicalHostname(spelling), 'www.example.com', spelling)
  assert.equal(canonicalHostname('bücher.example'), 'xn--bcher-kva.example')
  assert.equal(canonicalHostname('BÜCHER.example'), 'xn--bcher-kva.example')
  assert.equal(canonicalHostname('XN--BCHER-KVA.example'), 'xn--bcher-kva.example')
  assert.equal(canonicalHostname('bücher。example。'), 'xn--bcher-kva.example')
  assert.equal(canonicalHostname('localhost:4000'), 'localhost')
  assert.equal(canonicalHostname('__proto__'), undefined)
  assert.equal(canonicalHostname('constructor'), 'constructor')
})

test('an IP address is no hostname in any spelling', () => {
  const addresses = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '127.0.0.1:80',
    '１２７.0.0.1',
    '①②⑦.1',
    '[::1]',
    '[::1]:443',
    '::1',
    'fe80::1%eth0',
    '1.2.3.4.5',
    'a.1',
    'a.0x',
    '0x',
    '0',
  ]
  for (const address of addresses) assert.equal(canonicalHostname(address), undefined, address)
})

test('what is no hostname is refused', () => {
  const junk = [
    '',
    '.',
    '..',
    'a..b',
    '.a',
    'a..',
    '-a.com',
    'a-.com',
    'a_b.com',
    '_',
    '_acme.example.com',
    '*.a.com',
    'a b',
    ' a.com',
    'a.com ',
    'a\t.com',
    'a\n.com',
    'a\0.com',
    'a@b',
    'a/../b',
    'a%2eb',
    'a\\b',
    'a#b',
    'a?b',
    'http://a.com',
    'a:b',
    'a.com:99999',
    'a.com:1:2',
    'a.com:-1',
    'xn--',
    'xn--a',
    'xn--a.com',
    'xn--zzzzzz.com',
    '℀.com',
    'a\ud800.com',
    '\u200b',
    '\u00ad',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}b`,
    'ü'.repeat(2000),
  ]
  for (const name of junk) assert.equal(canonicalHostname(name), undefined, JSON.stringify(name))
  for (const value of [undefined, null, 7, {}, []] as unknown[])
    assert.equal(canonicalHostname(value as string), undefined)
})

test('the limits of 63 and 253 are reached and not passed', () => {
  const label = 'a'.repeat(63)
  const longest = `${label}.${label}.${label}.${'b'.repeat(61)}`
  assert.equal(longest.length, 253)
  assert.equal(canonicalHostname(`${longest}.:65535`), longest)
  assert.equal(canonicalHostname(`${longest}b`), undefined)
})

test('whatever comes in, the answer is undefined or a canonical name that maps to itself', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '1',
    '0x',
    '127',
    '.',
    '..',
    '-',
    '--',
    'xn--',
    ':',
    '443',
    '_',
    '@',
    '%2e',
    '[',
    ']',
    '::1',
    'ü',
    '。',
    '\u00ad',
    '１',
    '\ud83d',
    'ß',
    '\t',
    'kva',
  )
  const inputs = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((list) => list.join('')),
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: 'binary-ascii' }),
    fc.domain(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.webAuthority(),
  )
  fc.assert(
    fc.property(inputs, (raw) => {
      const name = canonicalHostname(raw)
      if (name === undefined) return
      assert.match(name, /^(?!-)[a-z0-9.-]+$/)
      assert.ok(name.length <= 253 && name.split('.').every((label) => label.length >= 1 && label.length <= 63))
      assert.equal(isIP(name), 0)
      assert.equal(isIP(new URL(`http://${name}/`).hostname), 0)
      assert.equal(new URL(`http://${name}/`).hostname, name)
      for (const again of [name, `${name}.`, `${name}:8443`, name.toUpperCase()]) {
        assert.equal(canonicalHostname(again), name)
      }
    }),
    { numRuns: 3000 },
  )
})

test('every well-formed domain is accepted', () => {
  fc.assert(fc.property(fc.domain(), (domain) => assert.equal(canonicalHostname(domain), domain.toLowerCase())))
})

test('within means the name itself or below it, by whole labels', () => {
  assert.equal(isWithin('example.com', 'example.com'), true)
  assert.equal(isWithin('a.b.example.com', 'example.com'), true)
  assert.equal(isWithin('badexample.com', 'example.com'), false)
  assert.equal(isWithin('com', 'example.com'), false)
})
