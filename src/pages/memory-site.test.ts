import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type MemoryFile, MemorySite } from './memory-site.ts'

const page = (text: string): MemoryFile[] => [{ path: 'page.html', content: { identity: Buffer.from(text) } }]

async function served(load: () => Promise<readonly MemoryFile[] | undefined>) {
  const errors: unknown[] = []
  const site = new MemorySite({ load, onError: (error) => errors.push(error) })
  const server = createServer((request, response) => site.serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`
  return {
    site,
    errors,
    get: (headers: Record<string, string> = {}) => fetch(url, { headers }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('what could not be loaded is said, answered with a 503, and loaded for the next who asks', async () => {
  const loads = [() => Promise.reject(new Error('no disk')), async () => undefined, async () => page('here')]
  await using pages = await served(() => loads.shift()!())
  assert.equal((await pages.get()).status, 503)
  assert.match(String(pages.errors), /no disk/)
  assert.equal((await pages.get()).status, 503)
  assert.equal(await (await pages.get()).text(), 'here')
  assert.equal(await (await pages.get()).text(), 'here')
  assert.deepEqual([loads.length, pages.errors.length], [0, 1])
})

test('many who ask at once cause one load, and a load that was overtaken by a reload is not kept', async () => {
  const loads: ((files: MemoryFile[]) => void)[] = []
  const load = () => new Promise<MemoryFile[]>((resolve) => loads.push(resolve))
  const site = new MemorySite({ load, onError: assert.fail })
  const seen: (string | undefined)[] = []
  const look = () => site.open((loaded) => void seen.push(loaded?.text('page.html')))
  const early = [look(), look()]
  assert.equal(loads.length, 1)
  site.reload()
  const late = look()
  assert.equal(loads.length, 2)
  loads[1]!(page('new'))
  await late
  loads[0]!(page('old'))
  await Promise.all(early)
  await look()
  assert.deepEqual(seen, ['new', 'old', 'old', 'new'])
})

test('a file comes with its headers, its encodings and a validator', async () => {
  const content = { identity: Buffer.from('plain'), gzip: Buffer.from('packed') }
  await using pages = await served(async () => [{ path: 'page.html', content, headers: ['X-Page', 'yes'] }])
  const answer = await pages.get({ 'Accept-Encoding': 'identity' })
  assert.equal(answer.headers.get('x-page'), 'yes')
  assert.equal(await answer.text(), 'plain')
  const again = await pages.get({ 'Accept-Encoding': 'identity', 'If-None-Match': answer.headers.get('etag')! })
  assert.equal(again.status, 304)
  const site = new MemorySite({ load: async () => [{ path: 'a', content }], onError: assert.fail })
  await site.open((loaded) => assert.deepEqual([loaded?.has('a'), loaded?.text('a')], [true, 'plain']))
})
