import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Lru } from './lru.ts'

test('what was used longest ago leaves first', () => {
  const evicted: string[] = []
  const lru = new Lru<string>(2, (value) => evicted.push(value))
  lru.set('a', 'A')
  lru.set('b', 'B')
  lru.get('a')
  lru.set('c', 'C')
  assert.deepEqual([lru.get('a'), lru.get('b'), lru.get('c')], ['A', undefined, 'C'])
  assert.deepEqual(evicted, ['B'])
})

test('a value that is too heavy leaves the others alone', () => {
  const evicted: string[] = []
  const lru = new Lru<string>(3, (value) => evicted.push(value))
  lru.set('a', 'A', 2)
  lru.set('b', 'B', 4)
  assert.deepEqual([lru.get('a'), lru.get('b'), evicted], ['A', undefined, ['B']])
})

test('the weight never exceeds the limit, and what is inside is what was weighed', () => {
  const anyKey = fc.constantFrom('a', 'b', 'c', '__proto__')
  const step = fc.record({ key: anyKey, weight: fc.nat(12), isDelete: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lru = new Lru<number>(10)
      for (const { key, weight, isDelete } of steps) {
        if (isDelete) lru.delete(key)
        else lru.set(key, weight, weight)
        assert.ok(lru.weight <= 10)
        const kept = ['a', 'b', 'c', '__proto__'].map((name) => lru.get(name)).filter((value) => value !== undefined)
        assert.equal(lru.size, kept.length)
        assert.equal(
          lru.weight,
          kept.reduce((sum, value) => sum + value, 0),
        )
      }
    }),
  )
})
