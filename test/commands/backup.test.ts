import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { serverUser } from '../harness/postgres-binaries.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { rowsOf, runCommand, runJson, SCRIPT, startCommand, temporaryDirectory } from './command.ts'

const SLOW = { timeout: 300_000 }
const PETS = 'select * from pets order by id'

test('a backup under concurrent writes is one moment, and restoring it gives that moment back', SLOW, async () => {
  using elsewhere = temporaryDirectory()
  await using service = await startServiceProcess()
  const environment = { PETSTORE_DATA: service.dataDirectory }
  const file = join(elsewhere.path, 'backup.sqlite')

  const writers = startWriters(service)
  const before = await writers.acknowledged(50)
  const { bytes } = await runJson<{ bytes: number }>(['backup', file], { environment })
  const acknowledged = await writers.stop()

  assert.equal(bytes, statSync(file).size)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(elsewhere.path), ['backup.sqlite'])
  const saved = petsIn(file)
  const live = rowsOf<object>(service.dataDirectory, PETS)
  assert.ok(saved.length >= before && acknowledged >= saved.length, `${before} ≤ ${saved.length} ≤ ${acknowledged}`)
  assert.deepEqual(saved, live.slice(0, saved.length))

  const again = await runCommand(['backup', file], { environment })
  assert.deepEqual([again.code, /is there already/.test(again.stderr)], [1, true])

  const inUse = await runCommand(['restore', file, '--force'], { environment })
  assert.equal(inUse.code, 1)
  assert.match(inUse.stderr, /^The database is in use by a service/)
  assert.equal((await service.call('/pets')).status, 200)

  await service.kill()
  const unforced = await runCommand(['restore', file], { environment })
  assert.deepEqual([unforced.code, /--force/.test(unforced.stderr)], [1, true])
  const { keptAside } = await runJson<{ keptAside: string }>(['restore', file, '--force'], { environment })
  assert.deepEqual(rowsOf(service.dataDirectory, PETS), saved)
  assert.deepEqual(petsIn(keptAside), live)

  await service.restart()
  const added = await service.call('/pets', { method: 'POST', body: { name: 'After', categoryId: 1 } })
  assert.equal(added.status, 201)
  assert.equal(((await added.json()) as { id: number }).id, saved.length + 1)
})

test('a backup that has no folder to go to names that folder', async () => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  await runJson(['projects', 'create', 'kennel'], { environment })
  const nowhere = await runCommand(['backup', join(data.path, 'nowhere', 'x.sqlite')], { environment })
  assert.deepEqual([nowhere.code, nowhere.stderr], [1, `There is no ${join(data.path, 'nowhere')}. Check the path.\n`])
  const database = join(data.path, 'petstore.sqlite')
  const within = await runCommand(['backup', join(database, 'x.sqlite')], { environment })
  assert.deepEqual([within.code, within.stderr], [1, `${database} is no directory: give one.\n`])
})

test('what is damaged, foreign or of a newer version is not restored, and the database stays as it is', async () => {
  using data = temporaryDirectory()
  using elsewhere = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  await runJson(['projects', 'create', 'kennel'], { environment })
  const good = join(elsewhere.path, 'good.sqlite')
  await runJson(['backup', good], { environment })

  const foreign = join(elsewhere.path, 'foreign')
  new DatabaseSync(foreign).exec('create table strangers (name)')
  const junk = join(elsewhere.path, 'junk')
  writeFileSync(junk, 'not a database at all'.repeat(500))
  const refused: [file: string, says: RegExp][] = [
    [damagedCopy(good), /is damaged|malformed/],
    [newerCopy(good), /newer version.*9999_future/],
    [foreign, /no database of Petstore/],
    [junk, /^The backup cannot be read .*not a database/],
  ]
  for (const [file, says] of refused) {
    const { code, stderr } = await runCommand(['restore', file, '--force'], { environment })
    assert.deepEqual([file, code], [file, 1])
    assert.match(stderr, says)
  }
  assert.equal(rowsOf(data.path, "select 1 from projects where slug = 'kennel'").length, 1)
  assert.deepEqual(
    readdirSync(data.path).filter((name) => /incoming|before-restore/.test(name)),
    [],
  )
})

test('what root restores belongs to the owner of the data directory', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root gives files away')
  using data = temporaryDirectory()
  using elsewhere = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  await runJson(['projects', 'create', 'kennel'], { environment })
  const backup = join(elsewhere.path, 'backup.sqlite')
  await runJson(['backup', backup], { environment })
  const owner = serverUser as { uid: number; gid: number }
  for (const path of [data.path, join(data.path, 'petstore.sqlite')]) chownSync(path, owner.uid, owner.gid)

  await runJson(['restore', backup, '--force'], { environment })
  const { uid, gid, mode } = statSync(join(data.path, 'petstore.sqlite'))
  assert.deepEqual({ uid, gid, mode: mode & 0o777 }, { ...owner, mode: 0o600 })
})

test('what a command of root makes belongs to the owner of the data directory', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root gives files away')
  using data = temporaryDirectory()
  const owner = serverUser as { uid: number; gid: number }
  chownSync(data.path, owner.uid, owner.gid)
  await runJson(['projects', 'create', 'kennel'], { environment: { PETSTORE_DATA: data.path } })
  for (const name of readdirSync(data.path)) {
    const { uid, gid, mode } = statSync(join(data.path, name))
    assert.deepEqual({ name, uid, gid, mode: mode & 0o777 }, { name, ...owner, mode: 0o600 })
  }
})

test('a restore without the master key of the backup says at once what the start will need', async () => {
  using elsewhere = temporaryDirectory()
  const backup = join(elsewhere.path, 'backup.sqlite')
  await using service = await startServiceProcess()
  await runJson(['backup', backup], { environment: { PETSTORE_DATA: service.dataDirectory } })
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  const { stdout, code } = await runCommand(['restore', backup], { environment })
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^With the settings of this command the service cannot start with it yet\. .*Put the file back at \S+master\.key/m,
  )
  copyFileSync(join(service.dataDirectory, 'master.key'), join(data.path, 'master.key'))
  chmodSync(join(data.path, 'master.key'), 0o600)
  const again = await runJson<{ masterKey: unknown }>(['restore', backup, '--force'], { environment })
  assert.equal(again.masterKey, null)
  const folder = await runCommand(['restore', elsewhere.path, '--force'], { environment })
  assert.deepEqual([folder.code, folder.stderr.startsWith('There is no file ')], [1, true])
})

test('a log that a lost database left behind does not reach the restored one', async () => {
  using data = temporaryDirectory()
  using elsewhere = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  await runJson(['projects', 'create', 'kennel'], { environment })
  const backup = join(elsewhere.path, 'backup.sqlite')
  await runJson(['backup', backup], { environment })
  const fresh = { PETSTORE_DATA: join(data.path, 'fresh') }
  await runJson(['projects', 'create', 'other'], { environment: fresh })
  const database = join(fresh.PETSTORE_DATA, 'petstore.sqlite')
  writeFileSync(`${database}-wal`, 'frames of another database'.repeat(1000))

  const { keptAside } = await runJson<{ keptAside: string }>(['restore', backup, '--force'], { environment: fresh })
  const projects = rowsOf<{ slug: string }>(fresh.PETSTORE_DATA, 'select slug from projects')
  assert.deepEqual(
    projects.map(({ slug }) => slug),
    ['kennel'],
  )
  assert.ok(existsSync(keptAside))
})

/** Ends its process as soon as the database has its second name, which is a link or, where there are none, a copy. */
const KILLED_HALFWAY = (hasLinks: boolean) => `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { linkSync, renameSync } = fs
  const killedAfter = (move) => (from, to) => {
    move(from, to)
    if (to.includes('before-restore')) process.kill(process.pid, 'SIGKILL')
  }
  const refused = () => { throw Object.assign(new Error('no links here'), { code: 'EPERM' }) }
  Object.assign(fs, { renameSync: killedAfter(renameSync), linkSync: ${hasLinks} ? killedAfter(linkSync) : refused })
  syncBuiltinESMExports()
`

test('a restore that is killed halfway leaves the database in its place', async () => {
  using data = temporaryDirectory()
  using elsewhere = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  const backup = join(elsewhere.path, 'backup.sqlite')
  await runJson(['projects', 'create', 'kennel'], { environment })
  await runJson(['backup', backup], { environment })
  for (const hasLinks of [true, false]) {
    const preload = join(elsewhere.path, `links-${hasLinks}.mjs`)
    writeFileSync(preload, KILLED_HALFWAY(hasLinks))
    const killed = startCommand(['restore', backup, '--force'], {
      environment: { ...environment, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` },
    })
    assert.equal((await killed.ended).signal, 'SIGKILL')
    assert.equal(rowsOf(data.path, "select 1 from projects where slug = 'kennel'").length, 1)
    const aside = readdirSync(data.path).filter((name) => name.includes('before-restore'))
    assert.equal(aside.length, hasLinks ? 1 : 2)
  }
})

/** Has another restore run to its end as soon as this one has seen that there is no database, and begins to copy. */
const OVERTAKEN = (other: readonly string[]) => `
  import { execFileSync } from 'node:child_process'
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { openSync } = fs
  fs.openSync = (path, flags, mode) => {
    if (flags === 'wx' && path.endsWith('.incoming')) {
      execFileSync(process.execPath, ${JSON.stringify(other)}, { env: { ...process.env, NODE_OPTIONS: '' } })
    }
    return openSync(path, flags, mode)
  }
  syncBuiltinESMExports()
`

test('of two first restores at once the later one is refused, as after any other', async () => {
  using elsewhere = temporaryDirectory()
  using data = temporaryDirectory()
  const backups = []
  for (const slug of ['first', 'second']) {
    const environment = { PETSTORE_DATA: join(elsewhere.path, slug) }
    const backup = join(elsewhere.path, `${slug}.sqlite`)
    await runJson(['projects', 'create', slug], { environment })
    await runJson(['backup', backup], { environment })
    backups.push(backup)
  }
  const [first, second] = backups as [string, string]
  const preload = join(elsewhere.path, 'overtaken.mjs')
  writeFileSync(preload, OVERTAKEN([SCRIPT, 'restore', first]))
  const environment = { PETSTORE_DATA: data.path, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` }
  const { code, stderr } = await startCommand(['restore', second], { environment }).ended
  assert.deepEqual([code, /^There is a database at .* --force replaces it/.test(stderr)], [1, true], stderr)
  assert.equal(rowsOf(data.path, "select 1 from projects where slug = 'first'").length, 1)
  assert.deepEqual(
    readdirSync(data.path).filter((name) => /incoming|before-restore/.test(name)),
    [],
  )
})

function petsIn(file: string): object[] {
  using database = new DatabaseSync(file, { readOnly: true })
  const statement = database.prepare(PETS)
  statement.setReadBigInts(true)
  return statement.all()
}

/** Every page but the first is overwritten: whatever the layout, a table is hit. */
function damagedCopy(good: string): string {
  const file = `${good}.damaged`
  copyFileSync(good, file)
  const descriptor = openSync(file, 'r+')
  const PAGE_BYTES = 4096
  writeSync(descriptor, Buffer.alloc(statSync(file).size - PAGE_BYTES, 0x55), 0, undefined, PAGE_BYTES)
  closeSync(descriptor)
  return file
}

function newerCopy(good: string): string {
  const file = `${good}.newer`
  copyFileSync(good, file)
  using database = new DatabaseSync(file)
  database.exec("insert into kysely_migration values ('9999_future', '2099-01-01')")
  return file
}

/** Adds animals as fast as four clients can, until it is stopped. */
function startWriters(service: ServiceProcess) {
  const state = { count: 0, going: true }
  const clients = Array.from({ length: 4 }, async () => {
    while (state.going) {
      const body = { name: `Animal ${state.count}`, categoryId: state.count }
      assert.equal((await service.call('/pets', { method: 'POST', body })).status, 201)
      state.count++
    }
  })
  return {
    async acknowledged(least: number): Promise<number> {
      while (state.count < least) await wait(5)
      return state.count
    },
    async stop(): Promise<number> {
      state.going = false
      await Promise.all(clients)
      return state.count
    },
  }
}
