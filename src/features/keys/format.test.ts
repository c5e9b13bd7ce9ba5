import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { environmentOfKey, hashKey, hintOfKey, mintKey } from './format.ts'

test('a minted key says its environment, and is 46 characters of one alphabet', () => {
  for (const [environment, prefix] of [
    ['production', 'ps_live_'],
    ['staging', 'ps_test_'],
  ] as const) {
    const keys = Array.from({ length: 200 }, () => mintKey(environment))
    assert.equal(new Set(keys).size, 200)
    for (const key of keys) {
      assert.match(key, new RegExp(`^${prefix}[0-9A-Za-z]{38}$`))
      assert.equal(environmentOfKey(key), environment)
    }
  }
})

test('a key with any character changed, or cut, or moved to the other environment, is none', () => {
  const key = mintKey('production')
  for (let place = 0; place < key.length; place++) {
    const other = key[place] === 'a' ? 'b' : 'a'
    assert.equal(environmentOfKey(key.slice(0, place) + other + key.slice(place + 1)), undefined)
  }
  for (const text of [
    '',
    key.slice(1),
    `${key}a`,
    ` ${key}`,
    `${key}\n`,
    key.replace('live', 'test'),
    key.toUpperCase(),
  ]) {
    assert.equal(environmentOfKey(text), undefined, JSON.stringify(text))
  }
  fc.assert(fc.property(fc.string(), (text) => environmentOfKey(text) === undefined))
})

test('bytes that would make some letters likelier than others are thrown away', () => {
  const given = [255, 248, 247, 0, 61, 62]
  let at = 0
  const random = (size: number) => Buffer.alloc(size, given[at++ % given.length])
  const letters = Array.from({ length: 4 }, () => mintKey('production', random).slice(8, 40))
  assert.deepEqual(
    letters,
    ['z', '0', 'z', '0'].map((letter) => letter.repeat(32)),
  )
})

test('what is stored and shown does not give the key away', () => {
  const key = mintKey('production')
  assert.match(hashKey(key), /^[0-9a-f]{64}$/)
  assert.ok(hintOfKey(key).length <= 17)
  assert.equal(key.includes(hintOfKey(key)), false)
})
