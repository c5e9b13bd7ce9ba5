import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startCommand, temporaryDirectory } from '../commands/command.ts'
import { type Fault, startFaultyProxy } from '../harness/faulty-proxy.ts'
import { expect, type House, openHouse } from '../platform-api/house.ts'

/** What the command asks before it sends files: whether it may deploy, and what is missing. */
const BEFORE_FILES: Fault[] = ['pass', 'pass']

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

/** A deploy of some new files whose requests meet these faults. */
async function deployThrough(faults: Fault[], files: number) {
  const { slug, owner } = await house.project()
  const wish = { name: 'CI', scopes: ['deploys:write'] }
  const { token } = expect(201, await owner.browser.post(`/projects/${slug}/tokens`, wish))
  using site = temporaryDirectory()
  for (let file = 0; file < files; file++) writeFileSync(join(site.path, `${file || 'index'}.html`), `${slug} ${file}`)
  await using proxy = await startFaultyProxy(house.shop, faults)
  const environment = { PETSTORE_SERVER: proxy.origin, PETSTORE_TOKEN: token }
  const { ended } = startCommand(['deploy', site.path, '--project', slug], { environment })
  return { ...(await ended), requests: proxy.requests }
}

test('a deploy waits for the other uploads of its project as often as it is told to', async () => {
  const sent = await deployThrough([...BEFORE_FILES, ...Array<Fault>(9).fill('too many')], 1)
  assert.deepEqual([sent.code, sent.stderr, sent.requests], [0, '', 13])
  const listed = await deployThrough(['pass', ...Array<Fault>(9).fill('too many')], 1)
  assert.deepEqual([listed.code, listed.stderr, listed.requests], [0, '', 13])
})

test('the first file that is not taken ends a deploy, whatever else is on its way', async () => {
  const faults = [...BEFORE_FILES, ...Array<Fault>(5).fill('silent'), 'html'] as const
  const { code, stderr, requests } = await deployThrough([...faults], 12)
  assert.deepEqual([code, requests], [1, 8])
  assert.match(stderr, /^\S+\.html was not taken: http:\S+ does not answer as a Petstore server\.\n$/)
})
