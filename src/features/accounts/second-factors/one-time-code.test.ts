import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, codeAt, setupUri, stepAt, stepOfCode } from './one-time-code.ts'

/** Of RFC 6238, appendix B, with the last six of their eight digits. */
const SECRET = Buffer.from('12345678901234567890')
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

test('codes are those of the standard', () => {
  for (const [seconds, code] of VECTORS) assert.equal(codeAt(SECRET, stepAt(seconds * 1000)), code)
})

test('a code is taken once, one step early or late, and no further', () => {
  const now = 1111111109_000
  const step = stepAt(now)
  for (const near of [step - 1, step, step + 1])
    assert.equal(stepOfCode(SECRET, codeAt(SECRET, near), now, undefined), near)
  for (const far of [step - 2, step + 2])
    assert.equal(stepOfCode(SECRET, codeAt(SECRET, far), now, undefined), undefined)
  assert.equal(stepOfCode(SECRET, codeAt(SECRET, step), now, step), undefined)
  assert.equal(stepOfCode(SECRET, 'abcdef', now, undefined), undefined)
})

test('the secret is written as apps read it', () => {
  assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI')
  assert.equal(
    setupUri(Buffer.from('foobar'), 'Petstore (pets.example.com)', 'ann@example.com'),
    'otpauth://totp/Petstore%20(pets.example.com):ann%40example.com' +
      '?secret=MZXW6YTBOI&issuer=Petstore%20(pets.example.com)',
  )
})
