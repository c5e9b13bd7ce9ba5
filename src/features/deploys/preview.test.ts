import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deployIdOf, previewLabel } from './preview.ts'

test('every deploy has a preview name of its own, which is a DNS label and leads back to it', () => {
  for (let times = 0; times < 200; times++) {
    const bytes = randomBytes(12)
    const id = `dep_${bytes.toString('base64url')}`
    assert.equal(previewLabel(id), `preview-${bytes.toString('hex')}`)
    assert.equal(deployIdOf(`preview-${bytes.toString('hex')}`), id)
  }
})

test('other names are no previews', () => {
  for (const label of [
    'preview-',
    'preview-12',
    'petstore',
    `preview-${'A'.repeat(24)}`,
    `preview-${'0'.repeat(25)}`,
  ]) {
    assert.equal(deployIdOf(label), undefined)
  }
  assert.equal(previewLabel('dep_short'), undefined)
})
