import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownDevice, markDevice } from './device.ts'

const owner = { id: 'acc_1', password_changed_at: 1 }

test('a mark is known for the account that it was made for, and for no other', () => {
  const mark = markDevice('secret', owner)
  assert.equal(knownDevice('secret', owner, mark), mark.split('.')[0])
  assert.equal(knownDevice('secret', { ...owner, id: 'acc_2' }, mark), undefined)
  assert.equal(knownDevice('other secret', owner, mark), undefined)
  assert.equal(knownDevice('secret', undefined, mark), undefined)
})

test('a new password makes the marks of all devices worthless', () => {
  const mark = markDevice('secret', owner)
  assert.equal(knownDevice('secret', { ...owner, password_changed_at: 2 }, mark), undefined)
})

test('junk is no mark', () => {
  const [nonce] = markDevice('secret', owner).split('.')
  const forged = [43, 44].map((length) => `${nonce}.${'A'.repeat(length)}`)
  for (const junk of [undefined, '', '.', 'a.b', nonce, `${nonce}.`, ...forged]) {
    assert.equal(knownDevice('secret', owner, junk), undefined)
  }
})
