import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { shownDeploysMigration } from '../../src/features/deploys/migration.ts'
import { packInPool } from '../../src/features/deploys/files/encodings.ts'
import { deployDirectory, directoryHolder } from '../../src/features/deploys/deploys.ts'
import { deployedSites } from '../../src/features/deploys/sites.ts'
import { deployArchive, receiveBlob, storeFiles } from '../../src/features/deploys/uploads.ts'
import { migrations } from '../../src/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { inChunks, zipBytes } from './archive-bytes.ts'
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

test('of however many archives two are in memory at once, and those of one person hold up nobody else', async () => {
  await using store = await openDeployStorage(undefined)
  let [packing, most, coming] = [0, 0, 7]
  const allCame = Promise.withResolvers<void>()
  const pack = async (content: Uint8Array) => {
    most = Math.max(most, ++packing)
    await allCame.promise
    return packInPool(content).finally(() => packing--)
  }
  async function* sent(archive: Buffer) {
    yield* inChunks(archive)
    if (--coming === 0) allCame.resolve()
  }
  const ended: string[] = []
  const deploy = async (accountId: string) => {
    const deployer = { ...(await store.newProject()), accountId }
    // Of a size that is stored by itself.
    const parts = ['a', 'b'].map((name) => {
      return { name: `${name}.txt`, method: 0, content: `${deployer.projectId} ${name}\n`.repeat(1_200_000) }
    })
    await deployArchive({ ...store, pack }, deployer, sent(zipBytes(parts)))
    ended.push(accountId)
  }
  const eve = Array.from({ length: 6 }, () => deploy('eve'))
  await Promise.all([...eve, deploy('ada')])
  assert.equal(most, 2)
  assert.ok(ended.indexOf('ada') < 4, ended.join(' '))
})

test('of the sites that are read at once one page is read in a turn', async () => {
  await using store = await openDeployStorage(undefined)
  const deployer = await store.newProject()
  const [content] = await storeFiles(store, directoryHolder(deployer.projectId), [
    { path: 'index.html', bytes: Buffer.from('hello') },
  ])
  for (const name of ['a', 'b', 'c', 'd']) {
    const files = Array.from({ length: 1000 }, (_, at) => ({ ...content!, path: `${name}/${at}.html` }))
    await deployDirectory(store, deployer, files)
  }
  const manifests = await store.storage.read.selectFrom('manifests').select('id').execute()
  const { filesOf } = deployedSites(store)
  let turn = 0
  const turns: number[] = []
  const readAll = async (id: number) => {
    for await (const page of filesOf(id)) turns.push(page.length === 250 ? turn : NaN)
  }
  const reading = Promise.all(manifests.map(({ id }) => readAll(id)))
  let isRead = false
  void reading.finally(() => (isRead = true))
  for (; !isRead; turn++) await nextTurn()
  await reading
  assert.equal(turns.length, 16)
  assert.equal(new Set(turns).size, turns.length, turns.join(' '))
})

/** Deploys of before, in the order in which they were made, each with what the audit log still says of it. */
const insertOldDeploys = defineWrite('test.insertOldDeploys', async (db, verbs: Record<string, string[]>) => {
  await sql`insert into projects (id, slug, name, plan, created_at) values (1, 'kennel', 'Kennel', 'pro', 0)`.execute(
    db,
  )
  await sql`insert into manifests (id, hash, bytes, files) values (1, 'hash', 0, 0)`.execute(db)
  let time = 0
  for (const [id, said] of Object.entries(verbs)) {
    time += 10
    await sql`insert into deploys (id, seq, project_id, manifest_id, source, created_by, created_at)
      values (${id}, ${time}, 1, 1, 'archive', 'ada@example.com', ${time})`.execute(db)
    for (const [at, verb] of said.entries()) {
      await sql`insert into audit_entries (id, at, project_id, actor_kind, actor_name, verb, subject, details)
        values (${time + at}, ${time + at}, 1, 'account', 'ada@example.com', ${verb}, ${id}, '{}')`.execute(db)
    }
  }
})

test('deploys from before that visitors have seen are told from previews', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-shown-'))
  const choice = { dataDirectory, databaseUrl: undefined, onError: () => {} }
  try {
    {
      const older = migrations.filter(({ name }) => name < shownDeploysMigration.name)
      await using storage = await openStorage({ ...choice, migrations: older })
      await storage.write(insertOldDeploys, {
        'from before what the log keeps': [],
        published: ['deploy.create'],
        preview: ['deploy.keep'],
        'preview that was published': ['deploy.keep', 'deploy.activate'],
        'shown again': ['deploy.create', 'deploy.activate'],
      })
    }
    await using storage = await openStorage({ ...choice, migrations })
    const deploys = await storage.read.selectFrom('deploys').select('shown_at').orderBy('seq').execute()
    assert.deepEqual(
      deploys.map(({ shown_at }) => shown_at),
      [10, 20, null, 41, 51],
    )
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})
