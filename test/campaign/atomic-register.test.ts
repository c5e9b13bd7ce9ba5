import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerViolations } from './atomic-register.ts'

const write = (value: string, start: number, end: number) => ({ value, start, end })
const read = write

test('a register that was read as written is in order', () => {
  const writes = [write('a', 0, 1), write('b', 4, 8)]
  assert.deepEqual(registerViolations(writes, [read('a', 2, 3), read('a', 5, 6), read('b', 6, 7)]), [])
})

test('an old value that is seen after a new one is a stale read', () => {
  const writes = [write('a', 0, 1), write('b', 2, 3)]
  assert.match(registerViolations(writes, [read('b', 4, 5), read('a', 6, 7)]).join(), /"a" was seen again after "b"/)
})

test('an old value that is read once the write of the new one was acknowledged is a stale read', () => {
  const writes = [write('a', 0, 1), write('b', 2, 3)]
  assert.equal(registerViolations(writes, [read('a', 4, 5)]).length, 1)
})

test('a write of unknown outcome may have happened late, early or never', () => {
  const writes = [write('a', 0, 1), write('b', 2, Infinity)]
  assert.deepEqual(registerViolations(writes, [read('a', 3, 4), read('a', 5, 6)]), [])
  assert.deepEqual(registerViolations(writes, [read('a', 3, 4), read('b', 5, 6)]), [])
  assert.equal(registerViolations(writes, [read('b', 3, 4), read('a', 5, 6)]).length, 1)
})

test('a value that nobody wrote, or that was read before it was sent, is found', () => {
  assert.match(registerViolations([write('a', 0, 1)], [read('x', 2, 3)]).join(), /never written/)
  assert.match(registerViolations([write('a', 5, 6)], [read('a', 2, 3)]).join(), /before it was written/)
})

test('concurrent writes and reads are in order in whatever order they are told', () => {
  const writes = [write('a', 0, 10), write('b', 0, 10)]
  assert.deepEqual(registerViolations(writes, [read('b', 1, 2), read('a', 3, 4)]), [])
  assert.equal(registerViolations(writes, [read('b', 1, 2), read('a', 3, 4), read('b', 5, 6)]).length, 1)
})
