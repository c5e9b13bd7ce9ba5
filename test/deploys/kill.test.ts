import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { tarBytes } from './archive-bytes.ts'
import { openPostgres } from '../harness/postgres.ts'
import { startServiceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { askHttp } from './visitor.ts'

const FILES = 40
const PASSWORD = 'correct horse battery'

/** Every file says which version it belongs to; the last one is large, so that a kill also meets a file half way. */
const contentOf = (version: number, file: number) =>
  `version ${version} ${'x'.repeat(file === FILES - 1 ? 3_000_000 : 20_000)}`

const archiveOf = (version: number) =>
  tarBytes([
    { name: 'index.html', content: `version ${version}` },
    ...Array.from({ length: FILES }, (_, file) => ({ name: `${file}.txt`, content: contentOf(version, file) })),
  ])

test('SQLite: killed while deploying or rolling back, the site is the old or the new one, never a mix', async (t) => {
  await using service = await startServiceProcess()
  const outcomes = await deployAndKill(service, 6)
  t.diagnostic(outcomes.join(', '))
  await service.kill()
  using database = new DatabaseSync(join(service.dataDirectory, 'petstore.sqlite'))
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), [])
  assert.deepEqual(database.prepare(INCOMPLETE_BLOBS).all(), [])
})

test('PostgreSQL: the same', async (t) => {
  await using postgres = await openPostgres()
  await using service = await startServiceProcess({ environment: { DATABASE_URL: await postgres.createSchema() } })
  t.diagnostic((await deployAndKill(service, 3)).join(', '))
})

/** Blobs that can be found by their hash but lack bytes. */
const INCOMPLETE_BLOBS = `
  with stored as (select blob_id, encoding, sum(length(content)) as bytes from blob_chunks group by blob_id, encoding)
  select id from blobs
  left join stored as identity on identity.blob_id = id and identity.encoding = 'identity'
  left join stored as br on br.blob_id = id and br.encoding = 'br'
  left join stored as gzip on gzip.blob_id = id and gzip.encoding = 'gzip'
  where sha256 is not null and (
    identity_bytes is not coalesce(identity.bytes, 0) or br_bytes is not br.bytes or gzip_bytes is not gzip.bytes)`

async function deployAndKill(service: ServiceProcess, rounds: number): Promise<string[]> {
  const owner = await signUp(service)
  const outcomes: string[] = []
  const startedAt = performance.now()
  assert.equal((await deploy(service, owner, 0))?.status, 201)
  const tookMs = performance.now() - startedAt
  let shown = 0
  const [first] = JSON.parse((await ask(service, owner, 'GET', '/projects/petstore/deploys')).text) as { id: string }[]
  for (let version = 1; version <= rounds; version++) {
    // Every third time it is a rollback that the kill meets.
    const isRollback = version % 3 === 0
    const change = isRollback
      ? ask(service, owner, 'POST', `/projects/petstore/deploys/${first!.id}/activate`, '{}').catch(() => undefined)
      : deploy(service, owner, version)
    // Early, while contents arrive, and late, around the moment in which the site changes.
    const aroundMs = isRollback ? 15 : tookMs * (version % 3 === 1 ? 0.4 : 0.9)
    await wait(aroundMs / 2 + randomInt(1 + Math.ceil(aroundMs)))
    await service.kill()
    const answer = await change
    const isAcknowledged = answer?.status === 200 || answer?.status === 201
    await service.restart()
    const versions = await versionsShown(service)
    assert.equal(versions.length, 1, `the site is a mix of versions ${versions}`)
    const next = isRollback ? 0 : version
    const isRight = versions[0] === next || (versions[0] === shown && !isAcknowledged)
    assert.ok(isRight, `shows ${versions[0]} after ${shown} and ${next}`)
    outcomes.push(versions[0] === next ? `${next} shown` : `${next} lost`)
    shown = versions[0]!
  }
  // A deploy after all of this finds nothing in its way.
  assert.equal((await deploy(service, owner, 99))?.status, 201)
  assert.deepEqual(await versionsShown(service), [99])
  return outcomes
}

async function versionsShown(service: ServiceProcess): Promise<number[]> {
  const host = `petstore.localhost:${service.productionPort}`
  const pages = await Promise.all(
    Array.from({ length: FILES }, (_, file) => askHttp(service.productionPort, { host, path: `/${file}.txt` })),
  )
  const versions = pages.map(({ status, text }, file) => {
    assert.equal(status, 200)
    const version = Number(/^version (\d+) /.exec(text)?.[1])
    assert.equal(text, contentOf(version, file), 'the file is whole')
    return version
  })
  return [...new Set(versions)]
}

const deploy = (service: ServiceProcess, cookie: string, version: number) =>
  ask(service, cookie, 'POST', '/projects/petstore/deploys/archive', archiveOf(version)).catch(() => undefined)

async function signUp(service: ServiceProcess): Promise<string> {
  const token = /\/join#([\w-]{43})/.exec(service.stdout)?.[1]
  const body = JSON.stringify({ token, email: 'olga@example.com', name: 'Olga', password: PASSWORD })
  const answer = await ask(service, '', 'POST', '/sign-up', body)
  assert.equal(answer.status, 201, answer.text)
  return (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ')
}

function ask(service: ServiceProcess, cookie: string, method: string, path: string, body: string | Buffer = '') {
  const host = `localhost:${service.productionPort}`
  const type = typeof body === 'string' ? 'application/json' : 'application/x-tar'
  return askHttp(service.productionPort, {
    host,
    method,
    path: `/platform/v1${path}`,
    body: Buffer.from(body),
    headers: {
      Cookie: cookie,
      Origin: `http://${host}`,
      ...(method === 'GET' ? {} : { 'Content-Type': type }),
      'Content-Length': String(Buffer.byteLength(body)),
    },
  })
}
