import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import {
  extraField,
  gzipped,
  inChunks,
  noise,
  paxRecord,
  SITE,
  siteParts,
  tarBytes,
  zip64End,
  zipBytes,
} from '../../../../test/deploys/archive-bytes.ts'
import { readArchive } from './archive.ts'
import { DEPLOY_LIMITS } from './limits.ts'

let spoolDirectory: string
before(async () => {
  spoolDirectory = await mkdtemp(join(tmpdir(), 'petstore-spool-'))
})
after(() => rm(spoolDirectory, { recursive: true }))

async function read(archive: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const { path, bytes } of readArchive(inChunks(archive, 1000), { spoolDirectory })) {
    files[path] = bytes.toString()
  }
  return files
}

test('zip, stored zip, tar and tar.gz give back the same files, whatever they are called', async () => {
  assert.deepEqual(await read(zipBytes(siteParts)), SITE)
  assert.deepEqual(await read(zipBytes(siteParts.map((part) => ({ ...part, method: 0 })))), SITE)
  assert.deepEqual(await read(tarBytes(siteParts)), SITE)
  assert.deepEqual(await read(gzipped(tarBytes(siteParts))), SITE)
  assert.deepEqual(await readdir(spoolDirectory), [])
})

test('a file of the largest size passes byte for byte through each format', async () => {
  const content = noise(DEPLOY_LIMITS.fileBytesMax)
  // Noise comes out in blocks that are stored as they are, however long a packer tries.
  const untried = { level: 0 }
  const zip = zipBytes([{ name: 'a', content, data: deflateRawSync(content, untried) }])
  const tar = gzipSync(tarBytes([{ name: 'a', content }]), untried)
  for (const archive of [zip, tar]) {
    for await (const { bytes } of readArchive(inChunks(archive), { spoolDirectory })) {
      assert.ok(bytes.equals(content))
    }
  }
})

test('one folder around everything is taken off, and junk does not hide it', async () => {
  const wrapped = [
    { name: 'site/', unixMode: 0o040755 },
    { name: 'site/index.html', content: 'x' },
    { name: 'site/a/b.css', content: 'y' },
    { name: 'site/.DS_Store', content: 'junk' },
    { name: '__MACOSX/site/._index.html', content: 'junk' },
    { name: 'site/Thumbs.db', content: 'junk' },
    { name: 'site/.git/config', content: 'secret' },
  ]
  const expected = { 'index.html': 'x', 'a/b.css': 'y' }
  assert.deepEqual(await read(zipBytes(wrapped)), expected)
  const files = wrapped.slice(1).map(({ name, content }) => ({ name: `./${name}`, content: content! }))
  assert.deepEqual(await read(tarBytes([{ name: './', type: '5' }, ...files])), expected)
})

test('two folders, a file beside the folder, and a lone .well-known keep their names', async () => {
  const two = { 'a/x': '1', 'b/x': '2' }
  const beside = { 'a/x': '1', 'index.html': '2' }
  const wellKnown = { '.well-known/security.txt': '1' }
  for (const files of [two, beside, wellKnown]) {
    assert.deepEqual(await read(zipBytes(Object.entries(files).map(([name, content]) => ({ name, content })))), files)
  }
})

test('names without the UTF-8 flag, long, or in extended headers are read, and composed to NFC', async () => {
  const long = `${'d'.repeat(120)}/${'f'.repeat(200)}.txt`
  assert.deepEqual(await read(zipBytes([{ name: 'u\u0308.txt', content: '1', flags: 0 }])), { 'ü.txt': '1' })
  const unicodeName = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('ü.txt')])
  unicodeName.writeUInt32LE(crc32(Buffer.from([0x81])), 1)
  const legacyName = { name: Buffer.from([0x81]), content: '1', flags: 0, extra: extraField(0x7075, unicodeName) }
  assert.deepEqual(await read(zipBytes([legacyName])), { 'ü.txt': '1' })
  const pax = { name: 'PaxHeader', type: 'x', content: paxRecord('path', `x/${long}`) }
  const gnu = { name: '././@LongLink', type: 'L', content: `y/${long}\0` }
  assert.deepEqual(await read(tarBytes([pax, { name: 'short', content: '1' }, gnu, { name: 'short', content: '2' }])), {
    [`x/${long}`]: '1',
    [`y/${long}`]: '2',
  })
})

test('a zip with data descriptors and 64-bit fields as large packers write them is read', async () => {
  const late = { name: 'a', content: 'hello', flags: 0x808, local: { crc: 0, packedBytes: 0, bytes: 0 } }
  assert.deepEqual(await read(zipBytes([late])), { a: 'hello' })
  const content = Buffer.from('hello')
  const sizes = Buffer.alloc(16)
  sizes.writeBigUInt64LE(BigInt(content.length), 0)
  sizes.writeBigUInt64LE(BigInt(deflateRawSync(content).length), 8)
  const saturated = { packedBytes: 0xffffffff, bytes: 0xffffffff }
  const part = { name: 'a', content, extra: extraField(1, sizes), local: saturated, central: saturated }
  const directoryStart = zipBytes([part]).indexOf('PK\x01\x02')
  const archive = zipBytes([part], {
    entryCount: 0xffff,
    directoryStart: 0xffffffff,
    beforeEnd: (end) => zip64End({ entryCount: 1n, directoryStart: BigInt(directoryStart), recordStart: BigInt(end) }),
  })
  assert.deepEqual(await read(archive), { a: 'hello' })
})

test('a gzip in several members is one archive', async () => {
  const tar = tarBytes(siteParts)
  assert.deepEqual(await read(Buffer.concat([gzipped(tar.subarray(0, 700)), gzipped(tar.subarray(700))])), SITE)
})

test('an upload that breaks off, and a reader that stops early, leave nothing behind', async () => {
  const breaking = async function* () {
    yield zipBytes(siteParts).subarray(0, 50)
    assert.deepEqual(await readdir(spoolDirectory), [], 'the spool has no name even while it is written')
    throw new Error('connection lost')
  }
  await assert.rejects(Array.fromAsync(readArchive(breaking(), { spoolDirectory })), /connection lost/)
  for (const archive of [zipBytes(siteParts), gzipped(tarBytes(siteParts))]) {
    for await (const file of readArchive(inChunks(archive), { spoolDirectory })) {
      assert.equal(file.path, 'index.html')
      break
    }
  }
  assert.deepEqual(await readdir(spoolDirectory), [])
})

test('a spool directory that cannot be written is 503', async () => {
  const upload = readArchive(inChunks(zipBytes(siteParts)), { spoolDirectory: '/dev/null/nowhere' })
  await assert.rejects(Array.fromAsync(upload), { code: 'unavailable' })
})
