import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findKeyFile, keyHere, masterKeyFile, openMasterKey } from './master-key.ts'
import { lockStart, openStorage } from './storage/open.ts'
import { StartError } from './start-error.ts'
import { platformMigration } from './storage/platform-migration.ts'

const keyIdOf = (key: Uint8Array) => Buffer.from(key).toString('hex').slice(0, 8)
const HEX = 'ab'.repeat(32)

async function openHouse() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-master-key-'))
  const migrations = [platformMigration]
  const storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  return {
    dataDirectory,
    open: (configured?: string) => openMasterKey(storage, { configured, dataDirectory }, keyIdOf),
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

test('the first start makes a key that only its user can read, and later starts use it', async () => {
  await using house = await openHouse()
  const key = await house.open()
  assert.equal(key.length, 32)
  assert.equal(statSync(masterKeyFile(house.dataDirectory)).mode & 0o777, 0o600)
  assert.deepEqual(await house.open(), key)
})

test('what a link leads to that somebody has put in the way is not written to', async () => {
  await using house = await openHouse()
  const others = join(house.dataDirectory, 'not-ours')
  writeFileSync(others, 'as it was')
  symlinkSync(others, `${masterKeyFile(house.dataDirectory)}.${process.pid}`)
  await house.open()
  assert.equal(readFileSync(others, 'utf8'), 'as it was')
})

test('a link that leads nowhere at the moment is no missing key: none is made in its place', async () => {
  await using house = await openHouse()
  const file = masterKeyFile(house.dataDirectory)
  const mounted = join(house.dataDirectory, 'mounted')
  symlinkSync(mounted, file)
  await assert.rejects(house.open(), /cannot be read \(ENOENT\)\. There is nothing where this link leads\.$/)
  writeFileSync(mounted, HEX, { mode: 0o600 })
  assert.equal(Buffer.from(await house.open()).toString('hex'), HEX)
  rmSync(mounted)
  await assert.rejects(house.open(), StartError)
  assert.throws(() => keyHere({ configured: undefined, dataDirectory: house.dataDirectory }), /leads\.$/)
})

test('a key is found under another name, and whoever looks keeps the lock on the directory', async () => {
  await using house = await openHouse()
  const kept = join(house.dataDirectory, 'kept')
  writeFileSync(kept, HEX)
  using _turn = lockStart(house.dataDirectory)
  assert.equal(
    findKeyFile(house.dataDirectory, (key) => Buffer.from(key).toString('hex') === HEX),
    kept,
  )
  assert.equal(
    findKeyFile(house.dataDirectory, () => false),
    undefined,
  )
  const lock = `new DatabaseSync(${JSON.stringify(join(house.dataDirectory, 'start.lock'))}).exec('begin exclusive')`
  const other = spawnSync(process.execPath, ['-e', `const { DatabaseSync } = require('node:sqlite'); ${lock}`])
  assert.match(other.stderr.toString(), /database is locked/)
})

test('a configured key may be base64, base64url or hexadecimal', async () => {
  await using house = await openHouse()
  const bytes = Buffer.from(HEX, 'hex')
  for (const text of [HEX, bytes.toString('base64'), bytes.toString('base64url')]) {
    assert.deepEqual(Buffer.from(await house.open(text)), bytes)
  }
  await assert.rejects(house.open('too short'), StartError)
  await assert.rejects(house.open('too short'), /openssl rand/)
})

test('a database that was used with one key is not opened without it or with another', async () => {
  await using house = await openHouse()
  await house.open()
  const file = masterKeyFile(house.dataDirectory)
  const text = readFileSync(file, 'utf8')
  await assert.rejects(house.open(HEX), /sealed with another master key .* PETSTORE_MASTER_KEY/)
  rmSync(file)
  await assert.rejects(house.open(), /there is none here\. Put the file back/)
  assert.equal(statSync(house.dataDirectory).isDirectory(), true)
  writeFileSync(file, text, { mode: 0o600 })
  await house.open()
})

test('a key file that others may read, or that holds no key, stops the start', async () => {
  await using house = await openHouse()
  await house.open()
  const file = masterKeyFile(house.dataDirectory)
  chmodSync(file, 0o644)
  await assert.rejects(house.open(), /chmod 600/)
  writeFileSync(file, 'nothing of the kind\n')
  chmodSync(file, 0o600)
  await assert.rejects(house.open(), /does not hold a master key/)
})
