import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dashboardPages } from './dashboard.ts'

async function servedDashboard() {
  const folders: string[] = []
  const pages = dashboardPages({ directory: async () => folders.at(-1), onError: assert.fail })
  const server = createServer((request, response) => void pages.handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    pages,
    open: () => fetch(url, { headers: { Accept: 'text/html' } }),
    async build(index: string) {
      const folder = await mkdtemp(join(tmpdir(), 'petstore-dashboard-'))
      await writeFile(join(folder, 'index.html'), index)
      folders.push(folder)
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      for (const folder of folders) await rm(folder, { recursive: true })
    },
  }
}

test('until the dashboard is built its address says so, and opens by itself afterwards', async () => {
  await using dashboard = await servedDashboard()
  const before = await dashboard.open()
  assert.equal(before.status, 503)
  assert.equal(before.headers.get('refresh'), '2')
  assert.match(await before.text(), /is being built/)
  await dashboard.build('<title>built</title>')
  const after = await dashboard.open()
  assert.equal(after.status, 200)
  assert.match(await after.text(), /built/)
})

test('a build that has failed is told with its reason and what to do, and waits no longer', async () => {
  await using dashboard = await servedDashboard()
  dashboard.pages.buildFailed('Vite <is> not installed.')
  const told = await dashboard.open()
  assert.deepEqual([told.status, told.headers.get('refresh')], [503, null])
  assert.match(await told.text(), /could not be built[^]*Vite &lt;is> not installed\.[^]*npm ci/)
})

test('a newer build is served once the pages are told to reload', async () => {
  await using dashboard = await servedDashboard()
  await dashboard.build('<title>old</title>')
  assert.match(await (await dashboard.open()).text(), /old/)
  await dashboard.build('<title>new</title>')
  assert.match(await (await dashboard.open()).text(), /old/)
  dashboard.pages.reload()
  assert.match(await (await dashboard.open()).text(), /new/)
})
