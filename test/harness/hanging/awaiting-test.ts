import assert from 'node:assert/strict'
import { executionAsyncId } from 'node:async_hooks'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

describe('a room that opens late', async () => {
  await turn()
  test('a test that awaits', async () => {
    await Promise.resolve()
    const before = executionAsyncId()
    await Promise.resolve()
    assert.equal(executionAsyncId(), before, 'every promise has a number of its own where they are followed')
  })
})
