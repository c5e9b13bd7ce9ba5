import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DAY_MS } from '../../src/platform/clock.ts'
import { type Fault, startFaultyProxy } from '../harness/faulty-proxy.ts'
import { expect, type House, openHouse } from '../platform-api/house.ts'
import { runCommand, temporaryDirectory } from './command.ts'

const SCOPES = ['pets:read', 'pets:write', 'keys:read', 'keys:write', 'deploys:read', 'deploys:write']
const LOST = new RegExp(
  '^The answer of http:\\S+ (?:was lost|does not tell the outcome) \\(.+\\)\\. ' +
    'What the command does may be done: look before you run it again\\.$',
)

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

/** A project of its own, a token for it, and commands about it that meet these faults. */
async function openKennel() {
  const { slug, owner } = await house.project()
  const { token } = expect(201, await owner.browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes: SCOPES }))
  const listed = async (path: string): Promise<unknown[]> => expect(200, await owner.browser.get(path))
  const at = ['--project', slug, '--environment', 'production']
  return {
    slug,
    owner,
    at,
    pets: () => listed(`/projects/${slug}/environments/production/pets`),
    keys: () => listed(`/projects/${slug}/keys`),
    deploys: () => listed(`/projects/${slug}/deploys`),
    async run(faults: Fault[], ...args: string[]) {
      await using proxy = await startFaultyProxy(house.shop, faults)
      const environment = { PETSTORE_SERVER: proxy.origin, PETSTORE_TOKEN: token }
      return { ...(await runCommand(args, { environment })), requests: proxy.requests }
    },
  }
}

for (const faults of [
  ['cut'],
  ['cut body'],
  ['unavailable', 'cut'],
  ['unavailable', 'cut json'],
  ['unavailable', 'unconfirmed'],
  ['given up'],
] as Fault[][]) {
  test(`what a command has added is there once, and said to be in doubt: ${faults.join(', ')}`, async () => {
    const { at, pets, keys, run } = await openKennel()
    const keysBefore = (await keys()).length
    for (const words of [
      ['pets', 'add', 'Rex', '--category', '1'],
      ['keys', 'create', '--name', 'nightly'],
    ]) {
      const { code, stdout, stderr, requests } = await run(faults, ...words, ...at)
      assert.deepEqual([code, stdout, requests], [1, '', faults.length], stderr)
      assert.match(stderr.trimEnd(), LOST)
    }
    assert.deepEqual([(await pets()).length, (await keys()).length - keysBefore], [1, 1])
  })
}

test('by an API key an animal whose answer is lost is sent again and added once', async () => {
  const { slug, owner, pets, run } = await openKennel()
  const wish = { name: 'till', environment: 'production', scopes: ['read', 'write'] }
  const { key } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, wish))
  const words = ['pets', 'add', 'Rex', '--category', '1', '--key', key, '--environment', 'production']
  const { code, stderr, requests } = await run(['cut'], ...words)
  assert.deepEqual([code, stderr, requests, (await pets()).length], [0, '', 2, 1])
})

test('what a command has removed is removed, also where the answer tells no outcome', async () => {
  const { slug, owner, at, pets, run } = await openKennel()
  for (const fault of ['unconfirmed', 'given up'] as const) {
    const pet = { name: 'Rex', categoryId: 1 }
    const { id } = expect(201, await owner.browser.post(`/projects/${slug}/environments/production/pets`, pet))
    const { code, stderr, requests } = await run([fault], 'pets', 'delete', String(id), ...at)
    assert.deepEqual([code, stderr, requests, (await pets()).length], [0, '', 2, 0])
    const again = await run(['unavailable'], 'pets', 'delete', String(id), ...at)
    assert.deepEqual([again.code, again.requests], [1, 2])
  }
})

test('imports, deploys and roll-backs go on where an answer is lost', async () => {
  const { slug, at, pets, deploys, run } = await openKennel()
  using directory = temporaryDirectory()
  const animals = join(directory.path, 'animals.ndjson')
  writeFileSync(animals, '{"name":"Rex","categoryId":1}\n{"name":"Ida","categoryId":2}\n')
  // Past the two questions of where the import stands, and the document with the rules.
  const imported = await run(['pass', 'pass', 'pass', 'cut'], 'import', animals, ...at)
  assert.deepEqual([imported.code, imported.stderr, imported.requests], [0, '', 5])
  assert.equal((await pets()).length, 2)

  const deploysBefore = (await deploys()).length
  using site = temporaryDirectory()
  writeFileSync(join(site.path, 'index.html'), slug)
  // Past what is missing, and its file.
  const deployed = await run(['pass', 'pass', 'pass', 'cut body'], 'deploy', site.path, '--project', slug)
  assert.deepEqual([deployed.code, deployed.stderr, deployed.requests], [0, '', 5])
  const [newest] = (await deploys()) as { id: string }[]
  assert.equal((await deploys()).length, deploysBefore + 1)

  const shown = await run(['cut body'], 'deploys', 'activate', newest?.id ?? '', '--project', slug)
  assert.deepEqual([shown.code, shown.stderr, shown.requests], [0, '', 2])
})

test('an animal that was never sent is not said to be in doubt', async () => {
  const { at, run } = await openKennel()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  const words = ['pets', 'add', 'Rex', '--category', '1', ...at, '--server', `http://127.0.0.1:${port}`]
  const { code, stderr } = await run([], ...words)
  assert.equal(code, 1)
  assert.match(stderr, /^http:\S+ cannot be reached \(ECONNREFUSED\)\. Check the address/)
})

test('the days of a key are counted by the service, whose clock is not that of the command', async () => {
  const { at, run } = await openKennel()
  const { code, stdout, stderr } = await run([], 'keys', 'create', ...at, '--expires', '2w', '--json')
  assert.equal(code, 0, stderr)
  const { expiresAt } = JSON.parse(stdout) as { expiresAt: string }
  assert.equal(Date.parse(expiresAt), house.clock.now() + 14 * DAY_MS)
})
