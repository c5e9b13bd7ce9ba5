import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireSameOrigin } from './same-origin.ts'

const own = ['https://pets.example.com', 'https://pets.example.com:4443']

const cases: [string, Record<string, string>, boolean][] = [
  ['our own page', { origin: 'https://pets.example.com', 'sec-fetch-site': 'same-origin' }, true],
  ['our own page on the other port', { origin: 'https://pets.example.com:4443' }, true],
  ['a browser without Origin that says same-origin', { 'sec-fetch-site': 'same-origin' }, true],
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  ['a subdomain', { origin: 'https://kennel.pets.example.com', 'sec-fetch-site': 'same-site' }, false],
  ['the same name over plain HTTP', { origin: 'http://pets.example.com' }, false],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
  ['an Origin that its browser denies', { origin: 'https://pets.example.com', 'sec-fetch-site': 'cross-site' }, false],
  ['a typed address', { 'sec-fetch-site': 'none' }, false],
  ['silence', {}, false],
  ['an empty Origin', { origin: '' }, false],
]

for (const [who, headers, accepted] of cases) {
  test(`a write from ${who} is ${accepted ? 'accepted' : 'refused'}`, () => {
    if (accepted) requireSameOrigin(headers, own)
    else assert.throws(() => requireSameOrigin(headers, own), { code: 'forbidden' })
  })
}
