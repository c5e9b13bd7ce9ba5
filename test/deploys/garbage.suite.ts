import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inChunks } from './archive-bytes.ts'
import { readBlob } from '../../src/features/deploys/files/blobs.ts'
import { HOLD_MS, storeBlobPiece } from '../../src/features/deploys/files/blob-writes.ts'
import { activateDeploy, deployDirectory, listDeploys } from '../../src/features/deploys/deploys.ts'
import { collectGarbage } from '../../src/features/deploys/garbage.ts'
import { deployArchive, receiveBlob, type Uploader } from '../../src/features/deploys/uploads.ts'
import { DAY_MS } from '../../src/platform/clock.ts'
import type { DeployStorage } from './deploy-storage.ts'
import { planned, sha256Of, shownBy, zipOf } from './deploys.suite.ts'

const contentOf = (number: number) => `content ${number} ${'x'.repeat(number * 7)}`

type Step =
  | { do: 'archive' | 'directory'; project: 0 | 1; contents: number[] }
  | { do: 'send'; project: 0 | 1; contents: number[] }
  | { do: 'back'; project: 0 | 1 }
  | { do: 'collect' }
  | { do: 'wait' }

const project = fc.constantFrom<0 | 1>(0, 1)
const contents = fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 5 })
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ do: fc.constantFrom('archive' as const, 'directory' as const, 'send' as const), project, contents }),
  fc.record({ do: fc.constant('back' as const), project }),
  fc.constant({ do: 'collect' as const }),
  fc.constant({ do: 'wait' as const }),
)

export function garbageGuarantees(open: () => DeployStorage): void {
  test('whatever is deployed, sent and collected in whatever order, no deploy ever loses a file', async () => {
    const store = open()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 8 }), async (rounds) => {
        const projects = [await store.newProject(), await store.newProject()]
        for (const round of rounds) await Promise.all(round.map((one) => take(store, projects, one)))
        for (const deployer of projects) await assertWhole(store, deployer)
      }),
      { numRuns: 8 },
    )
    store.clock.advance(2 * DAY_MS)
    await collectGarbage(store)
    await assertNothingUnused(store)
  })

  test('what was sent for a deploy is kept for a day, and then goes', async () => {
    const store = open()
    const deployer = await store.newProject()
    const content = `sent ${randomUUID()}`
    const announced = { sha256: sha256Of(content), bytes: content.length }
    await receiveBlob(store, deployer, announced, inChunks(Buffer.from(content)))
    store.clock.advance(HOLD_MS - 1)
    await collectGarbage(store)
    assert.equal((await readBlob(store, announced.sha256, 'identity', 0, 1)).length, 1)
    store.clock.advance(1)
    await collectGarbage(store)
    assert.equal((await readBlob(store, announced.sha256, 'identity', 0, 1)).length, 0)
  })

  test('a content that stopped arriving half way goes, and one that is arriving stays', async () => {
    const store = open()
    const chunks = [{ encoding: 'identity' as const, place: 0, content: new Uint8Array(10) }]
    const sizes = { identity: 20, br: null, gzip: null }
    const half = { blobId: undefined, sizes, chunks, finish: undefined, now: store.clock.now() }
    const { blobId } = await store.storage.write(storeBlobPiece, half)
    const exists = () => store.storage.read.selectFrom('blobs').select('id').where('id', '=', blobId).executeTakeFirst()
    await collectGarbage(store)
    assert.ok(await exists())
    store.clock.advance(DAY_MS)
    await collectGarbage(store)
    assert.equal(await exists(), undefined)
  })

  test('a deleted project gives everything back that no other one shows', async () => {
    const store = open()
    const [gone, stays] = [await store.newProject(), await store.newProject()]
    const [shared, own] = [`shared ${randomUUID()}`, `own ${randomUUID()}`]
    await deployArchive(store, gone, zipOf({ 'shared.txt': shared, 'own.txt': own }))
    await deployArchive(store, stays, zipOf({ 'shared.txt': shared }))
    await store.deleteProject(gone.projectId)
    await collectGarbage(store)
    assert.deepEqual(await shownBy(store, stays), { 'shared.txt': shared })
    assert.equal((await readBlob(store, sha256Of(own), 'identity', 0, 1)).length, 0)
    await assertNothingUnused(store)
  })
}

async function take(store: DeployStorage, projects: Uploader[], one: Step): Promise<void> {
  if (one.do === 'collect') return void (await collectGarbage(store))
  if (one.do === 'wait') return store.clock.advance(HOLD_MS / 2)
  const deployer = projects[one.project]!
  if (one.do === 'back') {
    const oldest = (await listDeploys(store, deployer.projectId)).at(-1)
    if (oldest) await activateDeploy(store, deployer, oldest.id)
    return
  }
  const files = Object.fromEntries(one.contents.map((number) => [`${number}.txt`, contentOf(number)]))
  if (one.do === 'archive') {
    const { kind } = await deployArchive(store, deployer, zipOf(files))
    assert.notEqual(kind, 'incomplete')
    return
  }
  for (const content of Object.values(files)) {
    const announced = { sha256: sha256Of(content), bytes: content.length }
    await receiveBlob(store, deployer, announced, inChunks(Buffer.from(content)))
  }
  if (one.do === 'directory') await deployDirectory(store, deployer, planned(files))
}

/** Every deploy that could be shown has every byte of every file. */
async function assertWhole(store: DeployStorage, deployer: Uploader): Promise<void> {
  for (const { id, files } of await listDeploys(store, deployer.projectId)) {
    await activateDeploy(store, deployer, id)
    const shown = await shownBy(store, deployer)
    assert.equal(Object.keys(shown).length, files)
    for (const [path, content] of Object.entries(shown)) assert.equal(content, contentOf(Number.parseInt(path)))
  }
}

async function assertNothingUnused({ storage }: DeployStorage): Promise<void> {
  const unused = storage.read
    .selectFrom('blobs')
    .leftJoin('manifest_files', 'manifest_files.blob_id', 'blobs.id')
    .leftJoin('blob_holds', 'blob_holds.blob_id', 'blobs.id')
    .select('blobs.id')
    .where('manifest_files.blob_id', 'is', null)
    .where('blob_holds.blob_id', 'is', null)
  assert.deepEqual(await unused.execute(), [])
  const orphans = storage.read
    .selectFrom('manifests')
    .leftJoin('deploys', 'deploys.manifest_id', 'manifests.id')
    .select('manifests.id')
    .where('deploys.id', 'is', null)
  assert.deepEqual(await orphans.execute(), [])
}
