import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BUILDS, builtDashboard, ensureDashboard, hashSources, reasonIn } from '../../src/pages/dashboard-build.ts'
import { lockFile } from '../../src/platform/storage/sqlite/file-lock.ts'
import { temporaryDirectory } from '../commands/command.ts'

const LOCKS = new URL('../../src/platform/storage/sqlite/file-lock.ts', import.meta.url).href
const BUILDER = fileURLToPath(new URL('../../scripts/build-dashboard.ts', import.meta.url))
const silent = { status: () => {} }

test('the dashboard is built when it is missing or stale, and an unchanged one is left alone', async () => {
  await ensureDashboard(silent)
  const folder = (await builtDashboard()) as string
  assert.match(await readFile(join(folder, 'index.html'), 'utf8'), /\{\{style-nonce\}\}/)
  const { mtimeMs } = await stat(join(BUILDS, 'current.json'))
  let said = 0
  await ensureDashboard({ ...silent, status: () => said++ })
  assert.equal((await stat(join(BUILDS, 'current.json'))).mtimeMs, mtimeMs)
  assert.equal(said, 0)
})

test('what a build is made from includes the modules that the pages share with the service', async () => {
  await ensureDashboard(silent)
  const { shared, hash } = JSON.parse(await readFile(join(BUILDS, 'current.json'), 'utf8')) as {
    shared: string[]
    hash: string
  }
  assert.ok(shared.includes('src/features/pets/status.ts'))
  assert.equal(await hashSources(shared), hash)
  assert.notEqual(await hashSources(shared.slice(1)), hash)
  assert.notEqual(await hashSources([...shared, 'tsconfig.json']), hash)
})

test('of a build beside the sources and one in the data directory the current one is served', async () => {
  using folder = temporaryDirectory()
  const folders = [join(folder.path, 'checkout'), join(folder.path, 'data')] as const
  const write = async (place: string, hash: string) => {
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'current.json'), JSON.stringify({ build: 'pages', hash, shared: [] }))
  }
  const current = await hashSources([])
  await write(folders[0], 'of the version before')
  assert.equal(await builtDashboard([...folders]), join(folders[0], 'pages'), 'better than none')
  await write(folders[1], current)
  assert.equal(await builtDashboard([...folders]), join(folders[1], 'pages'))
  assert.deepEqual(await ensureDashboard(silent, [...folders]), { kind: 'current' })
  await write(folders[0], current)
  await write(folders[1], 'of the version before')
  assert.equal(await builtDashboard([...folders]), join(folders[0], 'pages'))
})

test('whoever wants to build waits for the one that builds, and not for one that was killed', async () => {
  using folder = temporaryDirectory()
  const lock = join(folder.path, 'build.lock')
  const holds = `
    const { lockFile } = await import(${JSON.stringify(LOCKS)})
    globalThis.held = lockFile(${JSON.stringify(lock)})
    console.log('held')
    setInterval(() => {}, 60_000)`
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', holds], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(killed.stdout, 'data')
  using other = new DatabaseSync(lock, { timeout: 0 })
  assert.throws(() => other.exec('begin exclusive'), /locked/)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  using _next = lockFile(lock)
})

test('a folder whose lock is another user’s is passed over, as one that cannot be written', async () => {
  using folder = temporaryDirectory()
  const [others, own] = [join(folder.path, 'checkout'), join(folder.path, 'data')]
  // Root may write what is another's, but opens no directory as a file.
  for (const path of [join(others, 'build.lock'), own]) await mkdir(path, { recursive: true })
  const current = { build: 'pages', hash: await hashSources([]), shared: [] }
  await writeFile(join(own, 'current.json'), JSON.stringify(current))
  const builder = spawn(process.execPath, [BUILDER, others, own], { stdio: 'inherit' })
  assert.deepEqual(await once(builder, 'exit'), [0, null])
})

test('the reason of a failure names no place of this machine', () => {
  const output = `Error: EACCES, open '${BUILDS}/a.js', open '/srv/pets/dashboard/b.js'`
  assert.equal(
    reasonIn(output, [BUILDS, '/srv/pets/dashboard']),
    "Error: EACCES, open 'dashboard/dist/a.js', open '…/b.js'",
  )
})
