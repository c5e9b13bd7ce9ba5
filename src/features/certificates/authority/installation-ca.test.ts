import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS, ManualClock, MINUTE_MS } from '../../../platform/clock.ts'
import { openStorage } from '../../../platform/storage/open.ts'
import { platformMigration } from '../../../platform/storage/platform-migration.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import { openInstallationCa } from './installation-ca.ts'
import { certificatesMigration, revocationsMigration } from '../migration.ts'
import { sweepCertificates } from '../sweep.ts'
import { createVault } from '../vault.ts'
import { X509Certificate as Parsed, X509Crl } from './x509.ts'

const OPENING = Date.UTC(2030, 0, 1)
const sweep = defineWrite('test.sweep', async (db, now: number) => {
  while (await sweepCertificates(db, now));
})

test('nothing is made before it is asked for, and all who ask at once get the same root', async () => {
  await using world = await openWorld()
  const roots = () => world.storage.read.selectFrom('ca_roots').select('id').execute()
  const ca = world.open()
  assert.equal((await roots()).length, 0)
  const [first, second, pem] = await Promise.all([ca.issue(['a.test']), ca.issue(['b.test']), ca.rootPem()])
  assert.equal((await roots()).length, 1)
  const root = new X509Certificate(pem)
  for (const { chainPem } of [first, second]) assert.ok(new X509Certificate(chainPem).verify(root.publicKey))
  assert.equal(await world.open().rootPem(), pem, 'another instance has the same')
})

test('a revoked certificate is listed at once, by other instances within a minute, until it has expired', async () => {
  await using world = await openWorld()
  const [ca, other] = [world.open(), world.open()]
  const [revoked, kept] = [await ca.issue(['a.test']), await ca.issue(['b.test'])]
  assert.deepEqual(await serials(ca), [])
  assert.deepEqual(await serials(other), [])

  await ca.revoke(revoked.chainPem, 'cessationOfOperation')
  await ca.revoke(revoked.chainPem, 'cessationOfOperation')
  const list = new X509Crl(await ca.revocationList())
  assert.ok(await list.verify({ publicKey: new Parsed(await ca.rootPem()) }))
  assert.equal(list.entries.length, 1)
  assert.equal(list.findRevoked(new Parsed(revoked.chainPem))?.reason, 5)
  assert.equal(list.findRevoked(new Parsed(kept.chainPem)), null)
  assert.equal(list.nextUpdate?.getTime(), OPENING + 7 * DAY_MS)

  world.clock.advance(MINUTE_MS)
  assert.deepEqual(await serials(other), [revoked.leaf.serial])
  world.clock.advance(90 * DAY_MS)
  assert.deepEqual(await serials(ca), [])
  world.clock.advance(31 * DAY_MS)
  await world.storage.write(sweep, world.clock.now())
  assert.deepEqual(await world.storage.read.selectFrom('revoked_certificates').select('serial').execute(), [])
})

async function serials(ca: { revocationList(): Promise<Uint8Array> }): Promise<string[]> {
  const { entries } = new X509Crl(await ca.revocationList())
  return entries.map(({ serialNumber }) => serialNumber.toUpperCase())
}

async function openWorld() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-ca-'))
  const migrations = [platformMigration, certificatesMigration, revocationsMigration]
  const storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const clock = new ManualClock(OPENING)
  const vault = createVault(Buffer.alloc(32, 7))
  return {
    storage,
    clock,
    open: () => openInstallationCa({ storage, clock, vault, crlUrl: 'http://localhost:4000/ca.crl' }),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
