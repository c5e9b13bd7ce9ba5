import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/harness/any-character.ts'
import { hstsValue, locationOn } from './redirect.ts'

const target = { scheme: 'https', host: 'shop.example' } as const

test('path and query are kept, and nothing else of the request', () => {
  const expected = {
    '/': 'https://shop.example/',
    '/a/b.html?x=1&y=//z': 'https://shop.example/a/b.html?x=1&y=//z',
    '//evil.example/x': 'https://shop.example/evil.example/x',
    '/\\evil.example': 'https://shop.example/evil.example',
    '///': 'https://shop.example/',
    '/a%0d%0ab': 'https://shop.example/a%0d%0ab',
    '/caf\u00c3\u00a9': 'https://shop.example/caf%C3%A9',
    '/a"b<c>': 'https://shop.example/a%22b%3Cc%3E',
    '/?': 'https://shop.example/?',
    '?x=1': 'https://shop.example/?x=1',
    'http://evil.example/p?q=1': 'https://shop.example/p?q=1',
    'https://evil.example': 'https://shop.example/',
    'http://evil.example//other.example': 'https://shop.example/other.example',
    'evil.example:443': 'https://shop.example/',
    '*': 'https://shop.example/',
    '': 'https://shop.example/',
  }
  for (const [from, to] of Object.entries(expected)) assert.equal(locationOn(target, from), to, from)
})

test('a port is named only where it is not the usual one', () => {
  assert.equal(locationOn({ ...target, port: 443 }, '/x'), 'https://shop.example/x')
  assert.equal(locationOn({ ...target, port: 4443 }, '/x'), 'https://shop.example:4443/x')
  assert.equal(locationOn({ scheme: 'http', host: 'shop.example', port: 80 }, '/x'), 'http://shop.example/x')
})

test('no target leads to another host or breaks out of the header', () => {
  const piece = fc.oneof(
    fc.constantFrom('/', '//', '\\', '@', ':', '?', '#', 'http://', 'https:', 'evil.example', '\r\n', '\t', '%0a'),
    fc.string({ unit: anyCharacter, maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const location = locationOn(target, pieces.join(''))
      assert.match(location, /^https:\/\/shop\.example\/[\x21-\x7e]*$/)
      assert.equal(new URL(location).host, 'shop.example')
    }),
    { numRuns: 1000 },
  )
})

test('HSTS says how long, and whether names below are meant', () => {
  assert.equal(hstsValue({ maxAgeSeconds: 300 }), 'max-age=300')
  assert.equal(hstsValue({ maxAgeSeconds: 63072000, includeSubDomains: true }), 'max-age=63072000; includeSubDomains')
})
