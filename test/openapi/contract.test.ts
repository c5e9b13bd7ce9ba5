import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractTest } from '../../scripts/contract-test.ts'
import { failuresIn } from './specmatic.ts'

test('Specmatic finds no answer that the published documents do not promise', { timeout: 600_000 }, async (t) => {
  const { exitCode, tests, output } = await contractTest()
  t.diagnostic(`${tests} generated tests`)
  assert.equal(exitCode, 0, failuresIn(output))
  // 580 requests that it makes up for the animals, 190 examples of the management interface.
  assert.ok(tests > 700, failuresIn(output))
})
