import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../test/harness/until.ts'
import { DAY_MS, ManualClock, MINUTE_MS } from '../../platform/clock.ts'
import { StartError } from '../../platform/start-error.ts'
import { openCertificateFiles } from './certificate-files.ts'
import { createInternalCa, createRoot } from './authority/internal-ca.ts'

/** Whoever sleeps again has done what there was to do. */
class CountingClock extends ManualClock {
  sleeps = 0

  override sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    this.sleeps++
    return super.sleep(delayMs, signal)
  }
}

async function openDesk() {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-certificate-files-'))
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const clock = new CountingClock(Date.UTC(2027, 0, 1))
  const ca = createInternalCa({ clock }, { root: await createRoot({ clock }) })
  const told: string[] = []
  const changes: number[] = []
  return {
    directory,
    certFile,
    keyFile,
    clock,
    told,
    changes,
    /** As certbot and others do it: the new file takes the place of the old one. */
    put(what: { cert?: string; key?: string }) {
      for (const [path, text] of [
        [certFile, what.cert],
        [keyFile, what.key],
      ] as const) {
        if (text === undefined) continue
        writeFileSync(`${path}.new`, text)
        renameSync(`${path}.new`, path)
      }
    },
    async make(...names: string[]) {
      const { chainPem: cert, privateKeyPem: key } = await ca.issue(names)
      return { cert, key }
    },
    open: () =>
      openCertificateFiles({
        certFile,
        keyFile,
        clock,
        platformHost: 'pets.test',
        onChange: () => changes.push(clock.now()),
        onProblem: (sentence) => told.push(sentence),
      }),
    /** Moves the clock, and lets the look at the files happen. */
    async pass(ms: number) {
      const { sleeps } = clock
      clock.advance(ms)
      await until('the files have been looked at', () => clock.sleeps > sleeps)
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

test('it serves the names that it covers and no others', async () => {
  using desk = await openDesk()
  const pair = await desk.make('*.pets.test', 'pets.test')
  desk.put(pair)
  await using files = await desk.open()
  const served = files.certificateFor('kennel.pets.test')
  assert.equal(served?.cert, pair.cert)
  assert.equal(served?.key, pair.key)
  assert.equal(files.certificateFor('pets.test')?.id, served?.id)
  for (const stranger of ['a.b.pets.test', 'api.example.test', 'localhost', '127.0.0.1']) {
    assert.equal(files.certificateFor(stranger), undefined, stranger)
  }
})

test('files that cannot be used end the start with a sentence that says why', async () => {
  using desk = await openDesk()
  const good = await desk.make('*.pets.test')
  const other = await desk.make('*.pets.test')
  const narrow = await desk.make('kennel.pets.test', '*.example.test')
  const refused = async (what: { cert?: string; key?: string }, sentence: RegExp) => {
    desk.put(what)
    await assert.rejects(desk.open(), (error) => error instanceof StartError && sentence.test(error.message))
  }
  await refused({}, /PETSTORE_PLATFORM_CERT_FILE cannot be read \(ENOENT\): check the path .*cert\.pem/)
  await refused({ cert: good.cert }, /PETSTORE_PLATFORM_KEY_FILE cannot be read \(ENOENT\)/)
  await refused({ cert: 'nothing', key: good.key }, /CERT_FILE .* holds no certificate/)
  await refused({ cert: good.cert, key: good.cert }, /KEY_FILE .* holds no private key/)
  await refused({ cert: good.cert, key: other.key }, /does not belong to the certificate/)
  await refused(narrow, /does not cover \*\.pets\.test, but kennel\.pets\.test, \*\.example\.test/)
  desk.clock.advance(91 * DAY_MS)
  await refused(good, /expired on 2027-04-01/)
  desk.clock.advance(-100 * DAY_MS)
  await refused(good, /is not valid before 2026-12-31/)
})

test('files that are replaced are served within a minute; half of a replacement changes nothing', async () => {
  using desk = await openDesk()
  desk.put(await desk.make('*.pets.test'))
  await using files = await desk.open()
  const first = files.certificateFor('kennel.pets.test')
  const next = await desk.make('*.pets.test')
  desk.put({ cert: next.cert })
  await desk.pass(MINUTE_MS)
  assert.equal(files.certificateFor('kennel.pets.test'), first)
  assert.match(desk.told.join(), /does not belong/)
  await desk.pass(10 * MINUTE_MS)
  assert.equal(desk.told.length, 1, 'told once')
  desk.put({ key: next.key })
  await desk.pass(MINUTE_MS)
  assert.equal(files.certificateFor('kennel.pets.test')?.cert, next.cert)
  assert.equal(desk.changes.length, 1)
})

test('one that expires is served no longer, and its successor is', async () => {
  using desk = await openDesk()
  desk.put(await desk.make('*.pets.test'))
  await using files = await desk.open()
  await desk.pass(91 * DAY_MS)
  assert.equal(files.certificateFor('kennel.pets.test'), undefined)
  assert.match(desk.told.join(), /expired on 2027-04-01/)
  const next = await desk.make('*.pets.test')
  desk.put(next)
  await desk.pass(MINUTE_MS)
  const served = files.certificateFor('kennel.pets.test')
  assert.equal(new X509Certificate(served!.cert).serialNumber, new X509Certificate(next.cert).serialNumber)
  assert.equal(desk.changes.length, 2)
})
