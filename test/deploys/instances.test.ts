import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { Client } from 'pg'
import { contentTypeOf } from '../../src/edge/site/content-types.ts'
import { activateDeploy, listDeploys } from '../../src/features/deploys/deploys.ts'
import { packInPool } from '../../src/features/deploys/files/encodings.ts'
import { UploadGate } from '../../src/features/deploys/upload-gate.ts'
import { deployArchive } from '../../src/features/deploys/uploads.ts'
import { ManualClock, SECOND_MS, systemClock as clock } from '../../src/platform/clock.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { openPostgres } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { zipOf } from './deploys.suite.ts'
import { askHttp } from './visitor.ts'

test('a deploy and a rollback on one instance are shown by the other within a second', async () => {
  await using postgres = await openPostgres()
  const environment = { DATABASE_URL: await postgres.createSchema(), PETSTORE_MASTER_KEY: 'ab'.repeat(32) }
  await using one = await startTestPetstore({ environment })
  const othersClock = new ManualClock(clock.now())
  await using other = await startTestPetstore({ environment, keys: one.keys, clock: othersClock })
  const { storage } = one.petstore
  const { id: projectId } = await storage.read.selectFrom('projects').select('id').executeTakeFirstOrThrow()
  const spoolDirectory = one.config.dataDirectory
  const parts = { storage, clock, contentTypeOf, spoolDirectory, gate: new UploadGate(), pack: packInPool }
  const deployer = { projectId, accountId: 'olga', name: 'olga@example.com', audited: storage }

  assert.match(await shown(other), /API reference/)
  await deployArchive(parts, deployer, zipOf({ 'index.html': 'two' }))
  // Its clock stands still: it is told, and has not looked by itself.
  await untilShown(other, 'two')
  await endNotices(environment.DATABASE_URL)
  const [, starter] = await listDeploys({ storage }, projectId)
  await activateDeploy(parts, deployer, starter!.id)
  for (const passedMs of [SECOND_MS / 2, SECOND_MS / 2]) othersClock.advance(passedMs)
  await untilShown(other, /API reference/)
  await untilShown(one, /API reference/)

  const [first, second] = await Promise.all([one, other].map(fingerprint))
  assert.equal(first, second, 'both serve the certificate that was made first')
})

/** Nobody is told until they have connected again. */
async function endNotices(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like '%from notices where xid%' and pid <> pg_backend_pid()`,
  )
  await client.end()
  assert.equal(rows.length, 2, 'each instance looks on one connection')
}

async function shown({ config }: TestPetstore): Promise<string> {
  const port = Number(config.baseUrl.port)
  return (await askHttp(port, { host: `petstore.localhost:${port}` })).text
}

async function untilShown(shop: TestPetstore, wanted: string | RegExp): Promise<void> {
  await until(`${wanted} is shown`, async () => {
    const text = await shown(shop)
    return typeof wanted === 'string' ? text === wanted : wanted.test(text)
  })
}

async function fingerprint({ config }: TestPetstore): Promise<string> {
  return new Promise((resolve, reject) => {
    const name = { servername: 'petstore.localhost', rejectUnauthorized: false }
    const socket = connect({ host: '127.0.0.1', port: config.httpsPort, ...name }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.end()
    })
    socket.on('error', reject)
  })
}
