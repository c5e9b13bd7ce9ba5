import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { PetstoreError, type ErrorCode } from '../../../platform/errors.ts'
import {
  extraField,
  gzipped,
  inChunks,
  noise,
  paxRecord,
  repeated,
  siteParts,
  tarBytes,
  zip64End,
  zipBytes,
} from '../../../../test/deploys/archive-bytes.ts'
import { readArchive } from './archive.ts'
import type { DeployLimits } from './limits.ts'

const LIMITS: DeployLimits = {
  archiveBytesMax: 200_000,
  inflatedBytesMax: 400_000,
  entriesMax: 50,
  fileBytesMax: 100_000,
  inflationRatioMax: 100,
  inflationRatioFreeBytes: 20_000,
}

let spoolDirectory: string
before(async () => {
  spoolDirectory = await mkdtemp(join(tmpdir(), 'petstore-spool-'))
})
after(() => rm(spoolDirectory, { recursive: true }))

async function read(archive: Buffer, limits = LIMITS): Promise<string[]> {
  const contents: string[] = []
  for await (const { bytes } of readArchive(inChunks(archive, 1000), { spoolDirectory, limits })) {
    contents.push(bytes.toString())
  }
  return contents
}

async function refused(archive: Buffer, message: RegExp, code: ErrorCode = 'invalid_request'): Promise<void> {
  await assert.rejects(read(archive), (error: unknown) => {
    assert.ok(error instanceof PetstoreError, `not a PetstoreError: ${String((error as Error).stack)}`)
    assert.match(error.message, message)
    assert.equal(error.code, code)
    assert.match(error.message, /\.$/, 'ends with what to do')
    return true
  })
  assert.deepEqual(await readdir(spoolDirectory), [])
}

test('names that leave the site or cannot be served are refused in both formats, naming the entry', async () => {
  const names: [string, RegExp][] = [
    ['../evil', /"\.\.\/evil".*"\.\."/],
    ['a/../../evil', /"a\/\.\.\/\.\.\/evil"/],
    ['a/./b', /"a\/\.\/b"/],
    ['/etc/passwd', /"\/etc\/passwd".*absolute/],
    ['a//b', /"a\/\/b".*empty/],
    ['..\\evil', /backslash/],
    ['C:evil', /drive letter/],
    ['a\nb', /"a\\nb".*control/],
    ['a\u202eb', /"a\\u202eb".*direction/],
    ['.well-known/acme-challenge/token', /acme-challenge/],
    ['.WELL-KNOWN/Acme-Challenge', /acme-challenge/],
    [`${'a'.repeat(96)}/../b`, /"\.\."/],
  ]
  for (const [name, message] of names) {
    const parts = [{ name: 'index.html' }, { name }]
    await refused(zipBytes(parts), message)
    await refused(tarBytes(parts), message)
  }
  await refused(zipBytes([{ name: 'a\0b' }]), /"a\\u0000b".*control/)
  await refused(zipBytes([{ name: '../x/', unixMode: 0o040755 }, { name: 'a' }]), /"\.\.\/x\/".*"\.\."/)
  await refused(tarBytes([{ name: 'p', type: 'x', content: paxRecord('path', '../e') }, { name: 'a' }]), /"\.\.\/e"/)
  await refused(zipBytes([{ name: 'site/.well-known/acme-challenge/t' }, { name: 'site/a' }]), /acme-challenge/)
})

test('names that are no UTF-8 or too long are refused', async () => {
  const latin1 = Buffer.from([0x66, 0xfc, 0x72])
  await refused(zipBytes([{ name: latin1 }]), /UTF-8/)
  await refused(tarBytes([{ name: latin1 }]), /UTF-8/)
  await refused(zipBytes([{ name: 'é'.repeat(128) }]), /longer than 255 bytes/)
  await refused(zipBytes([{ name: Array(300).fill('deep').join('/') }]), /longer than 1024 bytes/)
})

test('names that meet after case folding or composing, and a file below a file, are refused', async () => {
  const pairs = [
    ['index.html', 'index.html'],
    ['Index.html', 'index.HTML'],
    ['straße', 'STRASSE'],
    ['ü', 'u\u0308'],
    ['a', 'a/b'],
    ['A/b', 'a'],
    ['a/b/c', 'A/B'],
  ]
  for (const [one, other] of pairs) {
    const parts = [{ name: one! }, { name: 'between' }, { name: other! }]
    await refused(zipBytes(parts), /[Rr]ename one|Keep one/)
    await refused(gzipped(tarBytes(parts)), /[Rr]ename one|Keep one/)
  }
  await refused(zipBytes([{ name: 'a' }, { name: 'A/', unixMode: 0o040755 }]), /"a" and "A\/"/)
})

test('links, devices and sparse files are refused', async () => {
  await refused(zipBytes([{ name: 'l', content: '/etc/passwd', unixMode: 0o120777 }]), /"l" is a link/)
  await refused(zipBytes([{ name: 'd', unixMode: 0o020666 }]), /"d" is a link or a device/)
  for (const type of ['1', '2', '3', '4', '6', 'S', 'Z']) {
    await refused(
      tarBytes([
        { name: 'a', content: 'x' },
        { name: 'l', type, linkName: 'a' },
      ]),
      /"l" is a link/,
    )
  }
  const sparseRecord = { name: 'p', type: 'x', content: paxRecord('GNU.sparse.major', '1') }
  await refused(tarBytes([sparseRecord, { name: 'a', content: 'x' }]), /sparse/)
})

test('archives, files, totals, counts and ratios above the limits are 413', async () => {
  const long = Buffer.concat([zipBytes(siteParts), repeated(LIMITS.archiveBytesMax)])
  await refused(long, /more than 200000 bytes.*petstore deploy/, 'payload_too_large')
  const big = { name: 'big.bin', content: noise(LIMITS.fileBytesMax + 1) }
  const mixed = Buffer.concat([noise(9_000), repeated(81_000)])
  const several = Array.from({ length: 5 }, (_, i) => ({ name: `f${i}`, content: mixed }))
  const many = Array.from({ length: 51 }, (_, i) => ({ name: `f${i}` }))
  for (const pack of [zipBytes, tarBytes, (parts: never) => gzipped(tarBytes(parts))] as ((p: unknown[]) => Buffer)[]) {
    await refused(pack([big]), /"big\.bin"/, 'payload_too_large')
    await refused(pack(many), /more than 50 files/, 'payload_too_large')
  }
  await refused(zipBytes(several), /more than 400000 bytes \(reached at "f4"\)/, 'payload_too_large')
  await refused(gzipped(tarBytes(several)), /more than 400000 bytes/, 'payload_too_large')
  const bomb = [{ name: 'zeros', content: Buffer.alloc(90_000) }]
  await refused(zipBytes(bomb), /100 times its size \(reached at "zeros"\)/, 'payload_too_large')
  await refused(gzipped(tarBytes(bomb)), /100 times its size/, 'payload_too_large')
  await refused(gzipped(Buffer.concat([tarBytes(siteParts), Buffer.alloc(300_000)])), /times/, 'payload_too_large')
})

test('a tar.gz that only unpacks further behind its end is stopped at the limit', async () => {
  const limits = { ...LIMITS, inflationRatioMax: 1e9 }
  const archive = gzipped(Buffer.concat([tarBytes(siteParts), Buffer.alloc(600_000)]))
  await assert.rejects(read(archive, limits), /come to more than 400000 bytes/)
})

test('a zip that claims a million entries is refused before one is read', async () => {
  const claim = { entryCount: 1_000_000n, directoryStart: 0n }
  const end = (at: number) => zip64End({ ...claim, recordStart: BigInt(at) })
  await refused(zipBytes(siteParts, { beforeEnd: end }), /more than 50 files/, 'payload_too_large')
})

test('a count that wrapped around at 65,536 is noticed', async () => {
  await refused(zipBytes(siteParts, { entryCount: 2 }), /damaged/)
})

test('entries that share data, the trick behind the largest bombs, are refused', async () => {
  const shared = [
    { name: 'a', content: 'q' },
    { name: 'b', content: 'q', central: { headerStart: 0 } },
  ]
  await refused(zipBytes(shared), /"b" is described in two ways/)
  const twin = [
    { name: 'x/a', content: 'q' },
    { name: 'x/a', content: 'q', central: { headerStart: 0 } },
  ]
  await refused(zipBytes(twin), /shares its data/)
  const inner = zipBytes([{ name: 'b', content: 'inner' }])
  const quoted = { name: 'a', content: inner, method: 0 }
  const innerStart = zipBytes([quoted]).indexOf(inner)
  await refused(
    zipBytes([quoted, { name: 'b', content: 'inner', central: { headerStart: innerStart } }]),
    /shares its data/,
  )
})

test('sizes and checksums that lie are refused', async () => {
  const content = repeated(5000)
  const both = (fields: object) => ({ name: 'a', content, central: fields, local: fields })
  await refused(zipBytes([both({ bytes: 100 })]), /"a" cannot be unpacked to the size/)
  await refused(zipBytes([both({ bytes: 6000 })]), /"a" has another size/)
  await refused(zipBytes([both({ bytes: 0 })]), /"a"/)
  await refused(zipBytes([both({ crc: 1 })]), /"a" does not match its checksum/)
  await refused(zipBytes([{ ...both({ bytes: 10 }), method: 0 }]), /two different sizes/)
  await refused(zipBytes([{ name: 'a', content, central: { bytes: 4000 } }]), /two ways/)
  await refused(zipBytes([{ name: 'a', content, local: { name: 'b' } }]), /two ways/)
  const filler = Buffer.concat([deflateRawSync(content), Buffer.alloc(400)])
  await refused(zipBytes([{ name: 'a', content, data: filler }]), /bytes after its end/)
  await refused(zipBytes([{ name: 'a', content: 'x', data: Buffer.alloc(50_000) }]), /more than it unpacks to/)
  await refused(zipBytes([{ name: 'a', content, data: Buffer.from('not deflate') }]), /"a" cannot be unpacked/)
  await refused(zipBytes([{ name: 'd/', content: 'x' }, { name: 'a' }]), /folder and has content/)
  await refused(tarBytes([{ name: 'a', content: 'x', sizeField: '77777777777\0' }]), /"a"/, 'payload_too_large')
  await refused(tarBytes([{ name: 'a', content: 'x', sizeField: 'zzzzzzzzzzz\0' }]), /damaged/)
  await refused(tarBytes([{ name: 'ok' }, { name: 'a', badChecksum: true }]), /damaged or cut off after the entry "ok"/)
})

test('encrypted and unknown methods are refused with the way out', async () => {
  await refused(zipBytes([{ name: 'a', content: 'x', flags: 1 }]), /encrypted.*password/)
  await refused(zipBytes([{ name: 'a', content: 'x', flags: 0x41 }]), /damaged/)
  await refused(zipBytes([{ name: 'a', content: 'x', method: 93 }]), /method 93.*deflate/)
})

test('64-bit positions outside of the archive are an answer, never a crash', async () => {
  for (const recordStart of [2n ** 64n - 1n, 2n ** 53n + 1n, 10_000n, 0n]) {
    const end = () => zip64End({ entryCount: 1n, directoryStart: 0n, recordStart })
    await refused(zipBytes(siteParts, { beforeEnd: end }), /damaged/)
  }
  for (const directoryStart of [2n ** 64n - 1n, 10_000n, 3n]) {
    const end = (at: number) => zip64End({ entryCount: 1n, directoryStart, recordStart: BigInt(at) })
    await refused(zipBytes(siteParts, { beforeEnd: end }), /damaged/)
  }
  const far = Buffer.alloc(8, 0xff)
  await refused(zipBytes([{ name: 'a', extra: extraField(1, far), central: { headerStart: 0xffffffff } }]), /damaged/)
  await refused(zipBytes([{ name: 'a', central: { bytes: 0xffffffff } }]), /"a"/, 'payload_too_large')
  await refused(zipBytes([{ name: 'a', extra: Buffer.from([1, 0, 99, 0]) }]), /damaged/)
})

test('every archive that is cut anywhere is refused', async () => {
  const packed = zipBytes(siteParts)
  for (let length = 0; length < packed.length; length += 7) await refusedSomehow(packed.subarray(0, length))
  const tar = tarBytes(siteParts)
  const lastContentEnd = tar.length - 1024
  for (let length = 0; length <= lastContentEnd; length += 128) await refusedSomehow(tar.subarray(0, length))
  const gz = gzipped(tar)
  for (let length = 0; length < gz.length; length += 5) await refusedSomehow(gz.subarray(0, length))
})

test('data behind the end of an archive is refused', async () => {
  await refused(zipBytes(siteParts, { tail: Buffer.from('more') }), /damaged/)
  await refused(Buffer.concat([gzipped(tarBytes(siteParts)), Buffer.from('more')]), /damaged/)
  await refused(Buffer.concat([gzipped(tarBytes(siteParts)), Buffer.alloc(100)]), /damaged/)
  await refused(Buffer.concat([tarBytes(siteParts), Buffer.from('more')]), /damaged/)
  const orphan = { name: 'p', type: 'x', content: paxRecord('path', 'x') }
  await refused(tarBytes([...siteParts, orphan]), /damaged/)
})

test('every single flipped byte of a zip gives the same files or a refusal', async () => {
  const packed = zipBytes([{ name: 'index.html', content: 'hello hello hello' }])
  for (let i = 0; i < packed.length; i += 1) {
    const flipped = Buffer.from(packed)
    flipped[i]! ^= 0xff
    const outcome = await read(flipped).catch((error) => error)
    if (outcome instanceof PetstoreError) continue
    assert.deepEqual(outcome, ['hello hello hello'], `byte ${i}`)
  }
})

test('something else than an archive is 415, nothing is 400, and both say what to upload', async () => {
  await refused(Buffer.from('<h1>Hello</h1>'), /zip -r/, 'unsupported_media_type')
  await refused(gzipped(Buffer.from('no tar in here')), /damaged/)
  await refused(Buffer.alloc(0), /holds no files/)
  await refused(zipBytes([]), /holds no files/)
  await refused(zipBytes([{ name: '.DS_Store', content: 'x' }]), /holds no files/)
  await refused(tarBytes([{ name: 'a/', type: '5' }]), /holds no files/)
})

async function refusedSomehow(archive: Buffer): Promise<void> {
  await assert.rejects(read(archive), (error) => error instanceof PetstoreError && error.status < 500)
}
