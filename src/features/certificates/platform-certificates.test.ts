import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS, ManualClock } from '../../platform/clock.ts'
import { openStorage } from '../../platform/storage/open.ts'
import { platformMigration } from '../../platform/storage/platform-migration.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { workMigration } from '../../platform/work/migration.ts'
import { createInternalCa } from './authority/internal-ca.ts'
import { certificatesMigration, revocationWishesMigration } from './migration.ts'
import { platformCertificates } from './platform-certificates.ts'
import type { CertificateRow } from './queries.ts'
import { openRoot } from './authority/root.ts'
import { certificateKey, createVault } from './vault.ts'

const insertCertificate = defineWrite('test.insertCertificate', async (db, row: CertificateRow) => {
  await db.insertInto('certificates').values(row).execute()
})

async function openPlatform() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-platform-names-'))
  const migrations = [platformMigration, workMigration, certificatesMigration, revocationWishesMigration]
  const storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const clock = new ManualClock(Date.UTC(2027, 0, 1))
  const vault = createVault(Buffer.alloc(32, 7))
  const root = await openRoot(storage, vault, clock)
  const start = (isOrdered = false) =>
    platformCertificates({
      storage,
      clock,
      vault,
      ca: createInternalCa({ clock }, { root }),
      isPlatformName: async (hostname) => hostname === 'kennel.localhost',
      isOrdered: async () => isOrdered,
      onError: () => {},
    })
  /** As an authority's order leaves it behind. */
  const store = async (id: string, lifeMs: number) => {
    const { chainPem, privateKeyPem, leaf } = await createInternalCa({ clock }, { root }).issue(['kennel.localhost'])
    await storage.write(insertCertificate, {
      id,
      hostname: 'kennel.localhost',
      issuer: 'https://acme.example/dir',
      issuer_name: leaf.issuer,
      serial: id,
      fingerprint: id,
      chain: chainPem,
      sealed_key: vault.seal(certificateKey(id), privateKeyPem),
      not_before: clock.now(),
      not_after: clock.now() + lifeMs,
      issued_at: clock.now(),
      renew_at: clock.now(),
      advice_due_at: null,
      advice: null,
      revoke_for: null,
      revoked_at: null,
    })
  }
  return {
    storage,
    clock,
    root,
    start,
    store,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

test('a name of the platform gets one certificate, which a new start serves again', async () => {
  await using platform = await openPlatform()
  const served = (await platform.start()('kennel.localhost'))!
  const certificate = new X509Certificate(served.cert)
  assert.ok(certificate.verify(new X509Certificate(platform.root.certificatePem).publicKey))
  assert.equal(certificate.checkHost('kennel.localhost'), 'kennel.localhost')
  assert.match(served.key, /PRIVATE KEY/)
  assert.deepEqual(await platform.start()('kennel.localhost'), served)
  const [stored] = await platform.storage.read.selectFrom('certificates').select('sealed_key').execute()
  assert.ok(!stored!.sealed_key.includes('PRIVATE KEY'))
})

test('many who ask at once are served the same one', async () => {
  await using platform = await openPlatform()
  const certificateFor = platform.start()
  const served = await Promise.all(Array.from({ length: 5 }, () => certificateFor('kennel.localhost')))
  assert.equal(new Set(served.map((one) => one?.id)).size, 1)
})

test('it is replaced a month before it ends, and the old one goes once it has', async () => {
  await using platform = await openPlatform()
  const certificateFor = platform.start()
  const first = await certificateFor('kennel.localhost')
  platform.clock.advance(59 * DAY_MS)
  assert.equal((await certificateFor('kennel.localhost'))?.id, first?.id)
  platform.clock.advance(2 * DAY_MS)
  const second = await certificateFor('kennel.localhost')
  assert.notEqual(second?.id, first?.id)
  platform.clock.advance(61 * DAY_MS)
  await certificateFor('kennel.localhost')
  const kept = await platform.storage.read.selectFrom('certificates').select('id').execute()
  assert.ok(!kept.some(({ id }) => id === first?.id))
})

test("a stranger's name costs nothing", async () => {
  await using platform = await openPlatform()
  assert.equal(await platform.start()('nobody.localhost'), undefined)
  assert.deepEqual(await platform.storage.read.selectFrom('certificates').select('id').execute(), [])
})

test('a name that is ordered is asked for once, and served by the internal CA until the order is there', async () => {
  await using platform = await openPlatform()
  const certificateFor = platform.start(true)
  const stopgap = (await certificateFor('kennel.localhost'))!
  assert.ok(new X509Certificate(stopgap.cert).verify(new X509Certificate(platform.root.certificatePem).publicKey))
  const queued = async () => {
    const rows = await platform.storage.read.selectFrom('work').selectAll().execute()
    return rows.map(({ queue, subject, revision }) => [queue, subject, revision])
  }
  const once = [['certificates', 'kennel.localhost', 1]]
  assert.deepEqual(await queued(), once)
  await certificateFor('kennel.localhost')
  await certificateFor('nobody.localhost')
  assert.deepEqual(await queued(), once, 'neither again, nor for a name that nobody has')

  await platform.store('ordered', 20 * DAY_MS)
  assert.equal((await certificateFor('kennel.localhost'))?.id, 'ordered', 'also with less than a month left')
  platform.clock.advance(20 * DAY_MS)
  assert.equal((await certificateFor('kennel.localhost'))?.id, stopgap.id, 'better than none')
})
