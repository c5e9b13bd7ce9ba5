import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS, ManualClock } from '../../platform/clock.ts'
import { openStorage } from '../../platform/storage/open.ts'
import { platformMigration } from '../../platform/storage/platform-migration.ts'
import { createInternalCa } from './internal-ca.ts'
import { certificatesMigration } from './migration.ts'
import { platformCertificates } from './platform-names.ts'
import { openRoot } from './store.ts'
import { createVault } from './vault.ts'

async function openPlatform() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-platform-names-'))
  const migrations = [platformMigration, certificatesMigration]
  const storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const clock = new ManualClock(Date.UTC(2027, 0, 1))
  const vault = createVault(Buffer.alloc(32, 7))
  const root = await openRoot(storage, vault, clock)
  const start = () =>
    platformCertificates({
      storage, clock, vault, ca: createInternalCa({ clock }, { root }),
      isPlatformName: async (hostname) => hostname === 'kennel.localhost',
    })
  return {
    storage, clock, root, start,
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
