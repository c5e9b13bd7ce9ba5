import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractTest } from '../../scripts/contract-test.ts'
import { failuresIn, fetchSpecmatic, findJava } from './specmatic.ts'

test('Specmatic finds no answer that the published document does not promise', { timeout: 900_000 }, async (t) => {
  try {
    findJava()
    fetchSpecmatic()
  } catch (error) {
    if (process.env.CI) throw error
    return t.skip(`${(error as Error).message} Then run: npm run test:contract`)
  }
  const { exitCode, tests, output } = await contractTest()
  t.diagnostic(`${tests} generated tests`)
  assert.equal(exitCode, 0, failuresIn(output))
  assert.ok(tests > 400, failuresIn(output))
})
