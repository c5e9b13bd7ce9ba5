import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { BUILDS, builtDashboard, ensureDashboard, hashSources } from '../../src/pages/dashboard-build.ts'

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
