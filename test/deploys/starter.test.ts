import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { createProject } from '../../src/features/projects/projects.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { StarterPublisher } from '../../src/features/deploys/starter.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { layOutSchema } from '../harness/schema.ts'
import { until } from '../harness/until.ts'
import { type DeployStorage, openDeployStorage } from './deploy-storage.ts'
import { askHttp } from './visitor.ts'

const publisherFor = (
  shop: Omit<DeployStorage, keyof AsyncDisposable>,
  errors: unknown[] = [],
  openapiDocument = '{"openapi":"3.1.0"}',
) =>
  new StarterPublisher({
    ...shop,
    audited: shop.storage,
    openapiDocument,
    onError: (error) => errors.push(error),
  })

const published = async ({ storage }: DeployStorage) => {
  const rows = await storage.read.selectFrom('active_deploys').select('project_id').execute()
  return new Set(rows.map(({ project_id }) => project_id))
}

test('the newest projects get their starter site first, others in the background, a stop waits for one', async () => {
  await using shop = await openDeployStorage(undefined)
  const ids: number[] = []
  for (let count = 0; count < 180; count++) ids.push((await shop.newProject()).projectId)
  const first = publisherFor(shop)
  await first.publishMissing()
  const soon = await published(shop)
  assert.ok(
    ids.slice(-50).every((id) => soon.has(id)),
    'a page of the newest',
  )
  assert.ok(soon.size < 180, 'whoever waits does not wait for all')
  await first[Symbol.asyncDispose]()
  const stopped = await published(shop)
  assert.ok(stopped.size < 180, 'a stop does not wait for all either')

  const errors: unknown[] = []
  await using second = publisherFor(shop, errors)
  const latest = shop.newProject()
  const { projectId } = await latest
  await second.publishMissing()
  assert.ok((await published(shop)).has(projectId))
  await until('the next start makes up for the rest', async () => (await published(shop)).size === 181)
  assert.deepEqual(errors, [])
})

test('many who ask at once share the work, and an error is told once', async () => {
  await using shop = await openDeployStorage(undefined)
  await shop.newProject()
  const errors: unknown[] = []
  await using publisher = publisherFor(shop, errors)
  await Promise.all(Array.from({ length: 100 }, () => publisher.publishMissing()))
  assert.equal((await published(shop)).size, 1)
  await shop.newProject()
  const { write } = shop.storage
  shop.storage.write = () => Promise.reject(new Error('away'))
  await publisher.publishMissing()
  shop.storage.write = write
  assert.match(String(errors), /away/)
  assert.equal(errors.length, 1)
  await publisher.publishMissing()
  assert.equal((await published(shop)).size, 2, 'the next time makes up for it')
})

test('a site that could not be read is read again for the next who asks', async () => {
  await using shop = await openDeployStorage(undefined)
  await shop.newProject()
  const errors: unknown[] = []
  let isBroken = true
  const contentTypeOf: DeployStorage['contentTypeOf'] = (...file) => {
    if (isBroken) throw new Error('too many open files')
    return shop.contentTypeOf(...file)
  }
  await using publisher = publisherFor({ ...shop, contentTypeOf }, errors)
  await publisher.publishMissing()
  assert.match(String(errors), /too many open files/)
  isBroken = false
  await publisher.publishMissing()
  assert.equal((await published(shop)).size, 1)
  assert.equal(errors.length, 1)
})

test('instances with other addresses publish one starter site, and a start renews those of others alone', async () => {
  await using shop = await openDeployStorage(undefined)
  const errors: unknown[] = []
  const under = (address: string, version: string) =>
    publisherFor(shop, errors, JSON.stringify({ info: { version }, servers: [{ url: address }] }))
  await using before = under('https://old.example', '1')
  await using after = under('https://new.example', '1')
  for (let project = 0; project < 3; project++) {
    await shop.newProject()
    await Promise.all([before.publishMissing(), after.publishMissing()])
  }
  assert.equal(await shop.count('deploys'), 3, 'none takes the place of the other')
  await using also = under('https://new.example', '1')
  await Promise.all([after.renewOthers(), also.renewOthers()])
  const shown = await shop.storage.read
    .selectFrom('active_deploys')
    .innerJoin('deploys', 'deploys.id', 'active_deploys.deploy_id')
    .select('manifest_id')
    .distinct()
    .execute()
  assert.equal(shown.length, 1, 'all show the same')
  const renewed = await shop.count('deploys')
  assert.ok(renewed <= 6, 'once each')
  await using newer = under('https://new.example', '2')
  await newer.renewOthers()
  assert.equal(await shop.count('deploys'), renewed, 'another version with the same addresses is left as it is')
  assert.deepEqual(errors, [])
})

test('under another address every starter site names that one, and the log says that people have to act', async () => {
  await using closing = new AsyncDisposableStack()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-moved-'))
  closing.defer(() => rmSync(dataDirectory, { recursive: true, force: true }))
  layOutSchema(dataDirectory)
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
  const serversShown = async ({ config }: TestPetstore, slug: string) => {
    const host = `${slug}.localhost:${config.baseUrl.port}`
    const { status, text } = await askHttp(Number(config.baseUrl.port), { host, path: '/openapi.json' })
    return status === 200 ? JSON.parse(text).servers.map(({ url }: { url: string }) => url) : status
  }
  {
    await using before = await startTestPetstore({ dataDirectory, log })
    const { storage, changes } = before.petstore
    await createProject({ storage, clock: systemClock }, { slug: 'with-own-site' })
    await publishOwnSite({ storage, changes }, 'with-own-site')
    assert.equal(await serversShown(before, 'with-own-site'), 404)
    const { baseUrl, stagingUrl } = before.config
    assert.deepEqual(await serversShown(before, 'petstore'), [baseUrl.href, stagingUrl.href])
    await until('the addresses are noted', () => addressesNoted(before))
  }
  assert.deepEqual(said, [])
  await using after = await startTestPetstore({ dataDirectory, log })
  const { baseUrl, stagingUrl } = after.config
  const wanted = `${baseUrl.href},${stagingUrl.href}`
  await until('it is renewed', async () => String(await serversShown(after, 'petstore')) === wanted)
  assert.equal(await serversShown(after, 'with-own-site'), 404, 'what people have deployed stays')
  assert.match(said.join(''), /"level":40.*addresses are others than at the last start.*docs\/operating\.md/)
})

async function addressesNoted({ petstore, config }: TestPetstore): Promise<boolean> {
  const rows = await petstore.storage.read.selectFrom('settings').select('value').execute()
  return rows.some(({ value }) => value.includes(config.baseUrl.href))
}
