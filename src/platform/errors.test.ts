import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notFound, PetstoreError, unavailable } from './errors.ts'

const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^ +at /.test(line)).length

test('an error knows where it was made when it is ours, and not when it answers a mistake of who asked', () => {
  assert.equal(framesOf(notFound('There is no animal 7.')), 0)
  assert.equal(framesOf(new PetstoreError('rate_limited', 'Too many requests.')), 0)
  assert.ok(framesOf(unavailable('The database is away.')) > 0)
  assert.ok(framesOf(new Error('of somebody else, afterwards')) > 0)
})
