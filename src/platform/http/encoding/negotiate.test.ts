import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEncodings } from './negotiate.ts'

test('the client is sent what it likes best, and small before large', () => {
  const expected: Record<string, string> = {
    'gzip, deflate, br, zstd': 'br gzip identity',
    gzip: 'gzip identity',
    'GZIP;Q=1.0, Br;q=0.5': 'gzip br identity',
    'br;q=0.1, identity;q=0.5': 'identity br',
    'br;q=0, gzip': 'gzip identity',
    '*': 'br gzip identity',
    '*;q=0': 'identity',
    'identity;q=1, *;q=0': 'identity',
    'identity;q=0': 'identity',
    'br, identity;q=0': 'br identity',
    'gzip ; q=0.5 , br ; q=0.2': 'gzip br identity',
    'br;q=abc': 'identity',
    '': 'identity',
    ',,;q=1': 'identity',
    'constructor, __proto__': 'identity',
  }
  for (const [header, encodings] of Object.entries(expected)) {
    assert.equal(acceptedEncodings(header).join(' '), encodings, header)
    assert.equal(acceptedEncodings(header).join(' '), encodings, `${header}, asked again`)
  }
  assert.deepEqual(acceptedEncodings(undefined), ['identity'])
})
