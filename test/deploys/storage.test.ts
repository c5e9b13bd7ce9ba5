import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { receiveBlob } from '../../src/features/deploys/uploads.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type DeployStorage, openDeployStorage } from './deploy-storage.ts'
import { deployGuarantees, sha256Of } from './deploys.suite.ts'
import { garbageGuarantees } from './garbage.suite.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let opened: DeployStorage

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      // Empty: it counts what is stored.
      opened = await openDeployStorage(await server?.createDatabase())
    })
    after(async () => {
      await opened?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    deployGuarantees(() => opened)
    garbageGuarantees(() => opened)
  })
}

// Not on PostgreSQL, whose driver makes copies of its own.
test('the memory of a file that has arrived, or broke off, is given back at once, without a collection', async () => {
  await using store = await openDeployStorage(undefined)
  const deployer = await store.newProject()
  const content = randomBytes(20_000_000)
  const chunks = Array.from({ length: 40 }, (_, at) => content.subarray(at * 500_000, (at + 1) * 500_000))
  const announced = { sha256: sha256Of(content), bytes: content.length }
  const receive = (arriving: Uint8Array[]) => receiveBlob(store, deployer, announced, Readable.from(arriving))
  const before = process.memoryUsage().arrayBuffers
  await assert.rejects(receive(chunks.slice(1)), /Fewer bytes/)
  await receive(chunks)
  const left = process.memoryUsage().arrayBuffers - before
  assert.ok(left < 1_000_000, `${left} bytes are left`)
})
