import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { BlobCache, blobOf, SLICE_BYTES, type BlobReader } from './blob-cache.ts'
import { Slice } from './slice.ts'

function countedReader(bytesOf: (start: number, end: number) => number = (start, end) => end - start) {
  const reads: string[] = []
  const reader: BlobReader = {
    async read(sha256, encoding, start, end) {
      reads.push(`${sha256} ${encoding} ${start}-${end}`)
      return Buffer.alloc(bytesOf(start, end), sha256)
    },
  }
  return { reads, reader }
}

const blob = (sha256: string, bytes: number) => blobOf(sha256, 'identity', bytes)

test('a slice that many ask for at once is read once, then comes from memory', async () => {
  const { reads, reader } = countedReader()
  const cache = new BlobCache(reader)
  await Promise.all(Array.from({ length: 50 }, () => cache.slice(blob('a', 10), 0)))
  assert.ok(cache.slice(blob('a', 10), 0) instanceof Slice)
  assert.deepEqual(reads, ['a identity 0-10'])
})

test('encodings and slices of one file are kept apart', async () => {
  const { reads, reader } = countedReader()
  const cache = new BlobCache(reader)
  const large = blob('a', SLICE_BYTES + 5)
  await cache.slice(large, 0)
  await cache.slice(large, 1)
  await cache.slice(blobOf('a', 'br', 7), 0)
  assert.deepEqual(reads, [`a identity 0-${SLICE_BYTES}`, `a identity ${SLICE_BYTES}-${SLICE_BYTES + 5}`, 'a br 0-7'])
})

test('memory stays within the limit whatever is asked for', async () => {
  const { reader } = countedReader()
  const cache = new BlobCache(reader, 10_000)
  for (let at = 0; at < 200; at++) {
    const slice = await cache.slice(blob(`file${at}`, at * 100), 0)
    assert.equal(slice.bytes.length, at * 100)
    assert.ok(cache.bytes <= 10_000)
  }
})

test('a failed read is not remembered', async () => {
  let isBroken = true
  const cache = new BlobCache({
    read(_sha256, _encoding, start, end) {
      if (isBroken) throw new Error('no storage')
      return Promise.resolve(Buffer.alloc(end - start))
    },
  })
  await assert.rejects(async () => cache.slice(blob('a', 4), 0), /no storage/)
  isBroken = false
  assert.equal((await cache.slice(blob('a', 4), 0)).bytes.length, 4)
})

test('bytes that are not as many as promised are refused', async () => {
  const { reader } = countedReader((start, end) => end - start - 1)
  await assert.rejects(async () => new BlobCache(reader).slice(blob('a', 4), 0), /3 bytes at 0, not 4/)
})

test('a small file is kept as text, one character a byte', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
  let reads = 0
  const cache = new BlobCache({ read: async () => (reads++, bytes) })
  const text = await cache.text(blob('a', 256))
  assert.deepEqual(Buffer.from(text, 'latin1'), bytes)
  assert.equal(cache.text(blob('a', 256)), text)
  assert.equal(reads, 1)
})

test('what has left the cache gives its memory back when the last who sends it is done', async () => {
  const { reader } = countedReader()
  const cache = new BlobCache(reader, 50_000)
  const slice = await cache.slice(blob('a', 40_000), 0)
  const [first, second] = [holdBy(slice, '192.0.2.1'), holdBy(slice, '192.0.2.1')]
  await cache.slice(blob('b', 40_000), 0)
  await turn()
  assert.equal(slice.bytes.length, 40_000)
  first.end(true)
  assert.equal(slice.bytes.length, 40_000)
  second.end(true)
  assert.equal(slice.bytes.length, 0)
})

test('whoever was promised what leaves the cache at once still has it', async () => {
  const { reader } = countedReader()
  const cache = new BlobCache(reader, 1)
  const slice = await cache.slice(blob('a', 40_000), 0)
  const { end } = holdBy(slice, '192.0.2.1')
  await turn()
  assert.equal(slice.bytes.toString(), 'a'.repeat(40_000))
  end(true)
  assert.equal(slice.bytes.length, 0)
})

test('memory that is shared with others is not given back', async () => {
  const whole = Buffer.alloc(90_000, 'x')
  const cache = new BlobCache({ read: async (_sha256, _encoding, start, end) => whole.subarray(start, end) }, 1)
  await cache.slice(blob('a', 40_000), 0)
  await turn()
  assert.equal(whole.length, 90_000)
})

test('large contents are kept from their second time on, and only when it comes soon', async () => {
  const { reads, reader } = countedReader()
  const cache = new BlobCache(reader, 4_000_000)
  const kept = () => cache.bytes > 0
  await cache.slice(blob('a', 100_000), 0)
  assert.equal(kept(), false)
  for (let at = 0; at < 10; at++) await cache.slice(blob(`film${at}`, 100_000), 0)
  await cache.slice(blob('a', 100_000), 0)
  assert.equal(kept(), false)
  await cache.slice(blob('a', 100_000), 0)
  assert.equal(kept(), true)
  await cache.slice(blob('a', 100_000), 0)
  assert.equal(reads.filter((read) => read.startsWith('a ')).length, 3)
})

test('of what nobody takes, the network that holds most loses what it has held for longest', async () => {
  const { reader } = countedReader()
  const cache = new BlobCache(reader, 50_000, 100_000)
  const asked = async (name: string, network: string) => holdBy(await cache.slice(blob(name, 20_000), 0), network)
  const one = await asked('one', 'of one')
  // In the cache at first, and not in it any more when the others have come.
  const many = [await asked('a', 'of many'), await asked('b', 'of many')]
  for (const name of ['c', 'd', 'e', 'f', 'g']) many.push(await asked(name, 'of many'))
  const isCut = () => many.map(({ way }) => way.destroyed)
  assert.deepEqual(isCut(), [true, false, false, false, false, false, false])
  many[1]?.end(true)
  await asked('h', 'of many')
  assert.deepEqual(isCut(), [true, false, false, false, false, false, false])
  await asked('i', 'of many')
  assert.deepEqual(isCut(), [true, false, true, false, false, false, false])
  many[3]?.way.destroy()
  await turn()
  await asked('j', 'of many')
  assert.deepEqual([one.way.destroyed, many[4]?.way.destroyed], [false, false])
})

function holdBy(slice: Slice, network: string) {
  const way = new PassThrough()
  return { way, end: slice.hold({ isGone: false, way, network, cut: () => way.destroy() }) }
}
