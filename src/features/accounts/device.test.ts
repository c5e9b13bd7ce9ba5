import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownDevice, markDevice } from './device.ts'

const owner = { id: 'acc_1', password_changed_at: 1 }
const markOf = (account = owner, before?: string) => markDevice('secret', account, before)

test('a mark is known for the account that it was made for, and for no other', () => {
  const mark = markOf()
  assert.equal(knownDevice('secret', owner, mark), mark.split('.')[1])
  assert.equal(knownDevice('secret', { ...owner, id: 'acc_2' }, mark), undefined)
  assert.equal(knownDevice('other secret', owner, mark), undefined)
  assert.equal(knownDevice('secret', undefined, mark), undefined)
})

test('a computer that people share is known to each of the last five, whose attempts are counted apart', () => {
  const people = Array.from({ length: 7 }, (_, index) => ({ ...owner, id: `acc_${index}` }))
  const shared = people.reduce<string | undefined>((mark, person) => markOf(person, mark), undefined)
  const known = people.map((person) => knownDevice('secret', person, shared))
  assert.deepEqual(known.slice(0, 2), [undefined, undefined])
  assert.equal(new Set(known.slice(2).filter((name) => name !== undefined)).size, 5)
  assert.equal(markOf(people[6], shared), shared, 'signing in again changes nothing')
})

test('a new password makes the marks of all devices worthless', () => {
  assert.equal(knownDevice('secret', { ...owner, password_changed_at: 2 }, markOf()), undefined)
})

test('junk is no mark, and nothing of it is kept', () => {
  const [nonce, seal] = markOf().split('.')
  const forged = [43, 44].map((length) => `${nonce}.${'A'.repeat(length)}`)
  for (const junk of [undefined, '', '.', 'a.b', nonce, `${nonce}.`, `${nonce}.${seal}.x`, ...forged]) {
    assert.equal(knownDevice('secret', owner, junk), undefined)
  }
  for (const junk of ['', '.', 'a.b', `${nonce}.${seal}.x`, Array(100).fill(seal).join('.')]) {
    assert.equal(markOf(owner, junk).length, markOf().length)
  }
})
