import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { gzipped, inChunks, tarBytes, zipBytes } from './archive-bytes.ts'
import { DEPLOY_LIMITS } from '../../src/features/deploys/archive/limits.ts'
import { CHUNK_BYTES, readBlob } from '../../src/features/deploys/files/blobs.ts'
import {
  activateDeploy,
  compareDeploy,
  deleteDeploy,
  deployDirectory,
  type Deployer,
  listDeploys,
} from '../../src/features/deploys/deploys.ts'
import { findActiveManifest, findManifestPage } from '../../src/features/deploys/queries.ts'
import { StoredContents } from '../../src/features/deploys/stored.ts'
import { defineWrite, type Storage } from '../../src/platform/storage/storage.ts'
import { deployArchive, receiveBlob, type Uploader } from '../../src/features/deploys/uploads.ts'
import { DEPLOYS_KEPT } from '../../src/features/deploys/history.ts'
import type { DeployStorage } from './deploy-storage.ts'

export const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

export const planned = (files: Record<string, string | Buffer>) =>
  Object.entries(files).map(([path, content]) => ({
    path,
    sha256: sha256Of(content),
    bytes: Buffer.byteLength(content),
  }))

export const zipOf = (files: Record<string, string | Buffer>) =>
  inChunks(zipBytes(Object.entries(files).map(([name, content]) => ({ name, content }))))

/** Everything that the project shows, read back through the same two questions that the edge asks. */
export async function shownBy({ storage }: DeployStorage, { projectId }: Deployer): Promise<Record<string, string>> {
  const [active] = await findActiveManifest(storage.read, { id: projectId })
  if (!active) return {}
  const files = await findManifestPage(storage.read, { manifestId: active.manifest_id, after: '', limit: 1000 })
  const contents = files.map(async ({ path, sha256, identity_bytes }) => {
    const content = await readBlob({ storage }, sha256!, 'identity', 0, identity_bytes)
    assert.equal(sha256Of(content), sha256, `${path} is whole`)
    return [path, content.toString('latin1')] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

async function deployed(store: DeployStorage, deployer: Uploader, files: Record<string, string | Buffer>) {
  const outcome = await deployArchive(store, deployer, zipOf(files))
  assert.equal(outcome.kind, 'deployed')
  return (outcome as typeof outcome & { kind: 'deployed' }).deploy
}

/** As if the content were so large, in every deploy that has it. */
const pretendSize = defineWrite('test.pretendSize', async (db, input: { sha256: string; bytes: number }) => {
  const { id, identity_bytes: before } = await db
    .selectFrom('blobs')
    .select(['id', 'identity_bytes'])
    .where('sha256', '=', input.sha256)
    .executeTakeFirstOrThrow()
  await db.updateTable('blobs').set({ identity_bytes: input.bytes }).where('id', '=', id).execute()
  const holding = db.selectFrom('manifest_files').select('manifest_id').where('blob_id', '=', id)
  await db
    .updateTable('manifests')
    .set((eb) => ({ bytes: eb('bytes', '+', input.bytes - before) }))
    .where('id', 'in', holding)
    .execute()
})

/** As if what waits to be deployed were so large. */
const pretendHeld = defineWrite(
  'test.pretendHeld',
  async (db, { sha256, bytes }: { sha256: string; bytes: number }) => {
    const blob = db.selectFrom('blobs').select('id').where('sha256', '=', sha256)
    await db.updateTable('blob_holds').set({ bytes }).where('blob_id', 'in', blob).execute()
  },
)

async function amounts(store: DeployStorage) {
  const tables = ['blobs', 'blob_chunks', 'blob_holds', 'manifests', 'manifest_files', 'deploys'] as const
  return Promise.all(tables.map((table) => store.count(table)))
}

/** One body of tests for both engines. */
export function deployGuarantees(open: () => DeployStorage): void {
  test('an archive becomes the site of its project, and the next one takes its place', async () => {
    const store = open()
    const deployer = await store.newProject()
    const first = await deployed(store, deployer, { 'index.html': 'one', 'a/b.css': 'p{}' })
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'one', 'a/b.css': 'p{}' })
    assert.equal(first.files, 2)
    assert.equal(first.bytes, 6)
    const packed = gzipped(tarBytes([{ name: 'index.html', content: 'two' }]))
    assert.equal((await deployArchive(store, deployer, inChunks(packed))).kind, 'deployed')
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'two' })
    assert.deepEqual(
      (await listDeploys(store, deployer.projectId)).map(({ active }) => active),
      [true, false],
    )
  })

  test('a project keeps what its plan allows, each content counted once, and is told what to remove', async () => {
    const store = open()
    const deployer = await store.newProject()
    const { projectId } = deployer
    const contents = new StoredContents(store.storage.read)
    const stored = () => contents.bytesOf(projectId)
    const [large, medium, more] = ['large', 'medium', 'more'].map((name) => `${name} ${randomUUID()}`) as string[]
    const first = await deployed(store, deployer, { 'index.html': large!, 'a.html': medium! })
    await store.storage.write(pretendSize, { sha256: sha256Of(large!), bytes: 600_000_000 })
    await store.storage.write(pretendSize, { sha256: sha256Of(medium!), bytes: 300_000_000 })

    await deployed(store, deployer, { 'index.html': large!, 'again.html': large!, 'b.html': more! })
    assert.equal(await stored(), 900_000_000 + more!.length)
    await store.storage.write(pretendSize, { sha256: sha256Of(more!), bytes: 200_000_000 })
    const last = { 'index.html': large!, 'c.html': randomUUID() }
    await assert.rejects(deployed(store, deployer, last), {
      code: 'conflict',
      message: /would keep 1\.1 GB of files, and the plan Free has 1 GB\. .* Remove earlier deploys .* Pro has 10 GB/,
    })
    assert.equal(await store.count('blob_holds'), 0, 'nothing of it is left')

    const [active] = await listDeploys(store, projectId)
    await assert.rejects(deleteDeploy(deployer, active!.id), { code: 'conflict' })
    await deleteDeploy(deployer, first.id)
    await assert.rejects(deleteDeploy(deployer, first.id), { code: 'not_found' })
    await deployed(store, deployer, last)
    assert.equal(await stored(), 800_000_000 + last['c.html'].length)
    const other = await store.newProject()
    await deployed(store, other, { 'index.html': large! })
    assert.equal(await contents.bytesOf(other.projectId), 600_000_000, 'as each project sees it')
  })

  test('a deploy that is kept changes nothing for visitors, and its files are told apart', async () => {
    const store = open()
    const deployer = await store.newProject()
    const first = await deployed(store, deployer, { 'index.html': 'one', 'same.txt': 's', 'old.txt': 'gone' })
    const next = { 'index.html': 'two', 'same.txt': 's', 'new.txt': 'new' }
    const wish = { publish: 'no', name: 'v2', message: 'Two\nlines', via: 'dashboard' } as const
    const outcome = await deployArchive(store, deployer, zipOf(next), wish)
    assert.ok(outcome.kind === 'kept')
    const { id, name, message, via, active } = outcome.deploy
    assert.deepEqual([name, message, via, active], ['v2', 'Two\nlines', 'dashboard', false])
    assert.equal((await shownBy(store, deployer))['index.html'], 'one')
    assert.deepEqual(await compareDeploy(store, deployer.projectId, id), {
      comparedTo: first.id,
      counts: { added: 1, changed: 1, removed: 1, same: 1 },
      files: [
        { path: 'index.html', bytes: 3, change: 'changed' },
        { path: 'new.txt', bytes: 3, change: 'added' },
        { path: 'old.txt', bytes: 4, change: 'removed' },
        { path: 'same.txt', bytes: 1, change: 'same' },
      ],
      more: false,
    })
    await activateDeploy(store, deployer, id)
    assert.deepEqual((await compareDeploy(store, deployer.projectId, id)).counts.same, 3)
    const bare = await deployArchive(store, deployer, zipOf({ 'home.html': 'x' }), { publish: 'yes' })
    assert.ok(bare.kind === 'kept' && !bare.deploy.hasIndex, 'without its first page a site is not shown')
    assert.equal(
      (await deployArchive(store, deployer, zipOf({ 'home.html': 'x' }), { publish: 'anyway' })).kind,
      'deployed',
    )
    await assert.rejects(compareDeploy(store, (await store.newProject()).projectId, id), { code: 'not_found' })
  })

  test('rolling back shows the earlier files at once, and forth again', async () => {
    const store = open()
    const deployer = await store.newProject()
    const first = await deployed(store, deployer, { 'index.html': 'before' })
    const second = await deployed(store, deployer, { 'index.html': 'after' })
    assert.equal((await activateDeploy(store, deployer, first.id)).active, true)
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'before' })
    await activateDeploy(store, deployer, second.id)
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'after' })
  })

  test("another project's deploy can be neither shown nor found", async () => {
    const store = open()
    const [mine, theirs] = [await store.newProject(), await store.newProject()]
    const { id } = await deployed(store, theirs, { 'index.html': 'theirs' })
    await assert.rejects(activateDeploy(store, mine, id), { code: 'not_found' })
    assert.deepEqual(await shownBy(store, mine), {})
  })

  test('an archive that is damaged at its last file changes nothing and leaves nothing', async () => {
    const store = open()
    const deployer = await store.newProject()
    await deployed(store, deployer, { 'index.html': 'serving' })
    const before = await amounts(store)
    const parts = Array.from({ length: 40 }, (_, n) => ({ name: `${n}.bin`, content: randomBytes(30_000) }))
    const damaged = zipBytes([...parts, { name: 'last.html', content: 'x', central: { crc: 7 }, local: { crc: 7 } }])
    await assert.rejects(deployArchive(store, deployer, inChunks(damaged)), /"last.html"/)
    assert.deepEqual(await amounts(store), before)
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'serving' })
  })

  test('hostile archives are refused by name or reason, and nothing of them is stored', async () => {
    const store = open()
    const deployer = await store.newProject()
    const before = await amounts(store)
    const good = { name: 'index.html', content: `good ${randomUUID()}` }
    const many = Array.from({ length: 20_001 }, (_, number) => ({ name: `${number}`, content: '', method: 0 }))
    const archives: [Buffer, RegExp][] = [
      [zipBytes([good, { name: '../evil', content: 'x' }]), /"..\/evil"/],
      [tarBytes([good, { name: '/etc/passwd', content: 'x' }]), /"\/etc\/passwd"/],
      [zipBytes([good, { name: 'evil', content: '/etc/passwd', unixMode: 0o120777 }]), /"evil" is a link/],
      [tarBytes([good, { name: 'evil', type: '2' }]), /"evil" is a link/],
      [zipBytes([good, { name: 'INDEX.html', content: 'x' }]), /differ only in case/],
      [zipBytes([good, { name: 'bomb', content: Buffer.alloc(5_000_000) }]), /more than 100 times its size/],
      [gzipped(tarBytes([good, { name: 'bomb', content: Buffer.alloc(5_000_000) }])), /more than 100 times its size/],
      [zipBytes([good, { name: 'large', content: 'x', central: { bytes: 26_000_000 } }]), /"large" is larger than 25/],
      [zipBytes([good, { name: 'liar', content: 'x', central: { bytes: 9 }, local: { bytes: 9 } }]), /"liar"/],
      [zipBytes([good]).subarray(0, 60), /damaged or cut off/],
      [tarBytes([good, { name: 'b', content: 'y'.repeat(5000) }]).subarray(0, 3000), /damaged or cut off|cut off/],
      [zipBytes(many), /more than 20000 files/],
      [Buffer.from('no archive at all'), /no zip, tar or tar.gz/],
      [zipBytes([good, { name: '.well-known/acme-challenge/token', content: 'x' }]), /acme-challenge/],
    ]
    for (const [archive, message] of archives) {
      await assert.rejects(deployArchive(store, deployer, inChunks(archive)), message)
    }
    assert.deepEqual(await amounts(store), before)
  })

  test('an upload that breaks off changes nothing and leaves nothing', async () => {
    const store = open()
    const deployer = await store.newProject()
    const before = await amounts(store)
    const broken = (async function* () {
      yield zipBytes([{ name: 'index.html', content: 'x' }]).subarray(0, 20)
      throw new Error('the connection was reset')
    })()
    await assert.rejects(deployArchive(store, deployer, broken), /reset/)
    assert.deepEqual(await amounts(store), before)
  })

  test('deploying the same files again makes no new deploy', async () => {
    const store = open()
    const deployer = await store.newProject()
    const { id } = await deployed(store, deployer, { 'index.html': 'same' })
    const before = await amounts(store)
    const again = await deployArchive(store, deployer, zipOf({ 'index.html': 'same' }))
    assert.ok(again.kind === 'unchanged' && again.deploy.id === id)
    assert.deepEqual(await amounts(store), before)
  })

  test('of a directory only the contents travel that the project has not sent before', async () => {
    const store = open()
    const deployer = await store.newProject()
    const files = { 'index.html': `front ${randomUUID()}`, 'copy.html': '', 'app.js': `let x = "${randomUUID()}"` }
    files['copy.html'] = files['index.html']
    const outcome = await deployDirectory(store, deployer, planned(files))
    assert.ok(outcome.kind === 'incomplete')
    assert.deepEqual(
      outcome.missing.map(({ sha256 }) => sha256).sort(),
      [sha256Of(files['index.html']), sha256Of(files['app.js'])].sort(),
    )
    for (const content of Object.values(files)) await send(store, deployer, content)
    assert.equal((await deployDirectory(store, deployer, planned(files))).kind, 'deployed')
    assert.deepEqual(await shownBy(store, deployer), files)

    const changed = { ...files, 'app.js': `let y = "${randomUUID()}"` }
    const next = await deployDirectory(store, deployer, planned(changed))
    assert.ok(next.kind === 'incomplete')
    assert.deepEqual(
      next.missing.map(({ sha256 }) => sha256),
      [sha256Of(changed['app.js'])],
    )
  })

  test('what was sent for a directory that was given up makes room for the next where there is none', async () => {
    const store = open()
    const deployer = await store.newProject()
    const [given, up, next] = [randomUUID(), randomUUID(), randomUUID()]
    for (const content of [given, up]) await send(store, deployer, content)
    const files = { 'index.html': next, 'both.html': up }
    assert.equal((await deployDirectory(store, deployer, planned(files))).kind, 'incomplete')
    assert.equal(await store.count('blob_holds'), 2, 'there is room for both')
    await store.storage.write(pretendHeld, { sha256: sha256Of(given), bytes: DEPLOY_LIMITS.inflatedBytesMax })
    await assert.rejects(send(store, deployer, next), { code: 'conflict', message: /begin yours again/ })

    const again = await deployDirectory(store, deployer, planned(files))
    assert.deepEqual(again.kind === 'incomplete' && again.missing.map(({ sha256 }) => sha256), [sha256Of(next)])
    await send(store, deployer, next)
    assert.equal((await deployDirectory(store, deployer, planned(files))).kind, 'deployed')
    const former = await deployDirectory(store, deployer, planned({ 'index.html': given }))
    assert.equal(former.kind, 'incomplete', 'it would have to be sent anew')
    assert.equal(await store.count('blob_holds'), 0)
  })

  test('a directory that is more than the plan has is refused before anything of it is sent', async () => {
    const store = open()
    const deployer = await store.newProject()
    const large = randomUUID()
    await deployed(store, deployer, { 'index.html': large })
    await store.storage.write(pretendSize, { sha256: sha256Of(large), bytes: 990_000_000 })
    const fits = planned({ 'index.html': randomUUID(), 'other.html': randomUUID() })
    assert.equal((await deployDirectory(store, deployer, fits)).kind, 'incomplete')
    const tooLarge = Array.from({ length: 2 }, (_, at) => ({
      path: `${at}`,
      sha256: sha256Of(`${large}${at}`),
      bytes: 25_000_000,
    }))
    const writes: string[] = []
    const { write } = store.storage
    const counted = Object.assign(Object.create(store.storage) as Storage, {
      write: ((one, input) => (writes.push(one.name), write(one, input))) as Storage['write'],
    })
    for (const _again of [1, 2, 3]) {
      await assert.rejects(deployDirectory({ ...store, storage: counted }, deployer, tooLarge), {
        code: 'conflict',
        message: /would keep 1\.04 GB of files, and the plan Free has 1 GB\. Nothing was changed/,
      })
    }
    assert.equal(writes.length, 1, 'what is kept is read once, however often somebody asks')
  })

  test('a content that only others have deployed cannot be had by its hash, and is stored once', async () => {
    const store = open()
    const [one, other] = [await store.newProject(), await store.newProject()]
    const secret = `secret ${randomUUID()}`
    await deployed(store, one, { 'secret.txt': secret })
    const outcome = await deployDirectory(store, other, planned({ 'stolen.txt': secret }))
    assert.equal(outcome.kind, 'incomplete')
    const blobs = await store.count('blobs')
    await send(store, other, secret)
    assert.equal(await store.count('blobs'), blobs)
    assert.equal((await deployDirectory(store, other, planned({ 'stolen.txt': secret }))).kind, 'deployed')
  })

  test('a content under a false hash, of a false size, or twice at once is not stored as such', async () => {
    const store = open()
    const deployer = await store.newProject()
    const content = randomBytes(2_000_000)
    const announced = { sha256: sha256Of(content), bytes: content.length }
    const before = await amounts(store)
    const wrong = { ...announced, sha256: sha256Of('other') }
    const receive = (as: typeof announced) => receiveBlob(store, deployer, as, inChunks(content))
    await assert.rejects(receive(wrong), /SHA-256 differs/)
    await assert.rejects(receive({ ...announced, bytes: 5 }), /More bytes/)
    await assert.rejects(receive({ ...announced, bytes: 3_000_000 }), /Fewer bytes/)
    await assert.rejects(receive({ ...announced, bytes: 26_000_000 }), /25 MB/)
    assert.deepEqual(await amounts(store), before)
    await Promise.all([1, 2, 3].map(() => receive(announced)))
    assert.equal(await store.count('blobs'), before[0]! + 1)
    assert.equal(await store.count('blob_chunks'), before[1]! + Math.ceil(content.length / CHUNK_BYTES))
  })

  test('a large file is read back in any span, in every encoding', async () => {
    const store = open()
    const deployer = await store.newProject()
    const content = Buffer.alloc(CHUNK_BYTES * 3 + 777)
    for (let at = 0; at < content.length; at += 16) content.write(`${at.toString(16).padStart(15, '0')}\n`, at)
    await deployed(store, deployer, { 'large.txt': content })
    const sha256 = sha256Of(content)
    const spans = [
      [0, 10],
      [CHUNK_BYTES - 5, CHUNK_BYTES + 5],
      [CHUNK_BYTES * 2, CHUNK_BYTES * 3 + 777],
    ] as const
    for (const [start, end] of spans) {
      const span = await readBlob(store, sha256, 'identity', start, end)
      assert.ok(span.equals(content.subarray(start, end)), `${start}–${end}`)
    }
    const [row] = await store.storage.read.selectFrom('blobs').selectAll().where('sha256', '=', sha256).execute()
    const br = await readBlob(store, sha256, 'br', 0, row!.br_bytes!)
    assert.ok(brotliDecompressSync(br).equals(content))
    assert.equal((await readBlob(store, sha256, 'identity', content.length, content.length + 9)).length, 0)
  })

  test('history is bounded, and what is shown stays and counts however old it is', async () => {
    const store = open()
    const deployer = await store.newProject()
    const first = await deployed(store, deployer, { 'index.html': 'version 0' })
    for (let version = 1; version <= DEPLOYS_KEPT + 3; version++) {
      await deployed(store, deployer, { 'index.html': `version ${version}` })
    }
    const history = await listDeploys(store, deployer.projectId)
    assert.equal(history.length, DEPLOYS_KEPT)
    assert.equal(history[0]!.active, true)
    await assert.rejects(activateDeploy(store, deployer, first.id), { code: 'not_found' })
    await activateDeploy(store, deployer, history.at(-1)!.id)
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'version 4' })

    const keep = (content: string) =>
      deployArchive(store, deployer, zipOf({ 'index.html': content }), { publish: 'no' })
    const stored = () => new StoredContents(store.storage.read).bytesOf(deployer.projectId)
    const preview = `preview ${randomUUID()}`
    await keep(preview)
    await store.storage.write(pretendSize, { sha256: sha256Of('version 4'), bytes: 700_000_000 })
    await store.storage.write(pretendSize, { sha256: sha256Of(preview), bytes: 300_000_000 })
    assert.ok((await stored()) > 1_000_000_000)
    await assert.rejects(keep('one more'), { code: 'conflict', message: /would keep 1 GB of files/ })
  })

  test('what visitors saw until now can be shown again, however many previews came after it', async () => {
    const store = open()
    const deployer = await store.newProject()
    const seen = await deployed(store, deployer, { 'index.html': 'seen' })
    for (let version = 1; version <= DEPLOYS_KEPT; version++) {
      const preview = zipOf({ 'index.html': `preview ${version}` })
      assert.equal((await deployArchive(store, deployer, preview, { publish: 'no' })).kind, 'kept')
      store.clock.advance(1000)
    }
    // The one that makes room for the next is not counted with it.
    await store.storage.write(pretendSize, { sha256: sha256Of('preview 2'), bytes: 1_000_000_000 })
    await deployed(store, deployer, { 'index.html': 'next' })
    assert.equal((await listDeploys(store, deployer.projectId)).length, DEPLOYS_KEPT)
    await activateDeploy(store, deployer, seen.id)
    assert.deepEqual(await shownBy(store, deployer), { 'index.html': 'seen' })
  })
}

async function send(store: DeployStorage, deployer: Uploader, content: string | Buffer): Promise<void> {
  const announced = { sha256: sha256Of(content), bytes: Buffer.byteLength(content) }
  await receiveBlob(store, deployer, announced, inChunks(Buffer.from(content)))
}
