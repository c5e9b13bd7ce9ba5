import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openPacker } from './packer.ts'

const pageOf = (animal: string, lines = 5000) => Buffer.from(`<p>The ${animal} of the store.</p>\n`.repeat(lines))

test('what is packed unpacks to what was given, large or small, which stays with whoever gave it', async () => {
  await using packer = openPacker((error) => assert.fail(String(error)))
  const pages = [pageOf('cat'), pageOf('dog'), pageOf('bird', 50)]
  const packed = await Promise.all(pages.map((page) => packer.pack(page, 'ada')))
  for (const [index, { br, gzip }] of packed.entries()) {
    assert.ok(brotliDecompressSync(br).equals(pages[index]!))
    assert.ok(gunzipSync(gzip).equals(pages[index]!))
  }
  assert.deepEqual(pages, [pageOf('cat'), pageOf('dog'), pageOf('bird', 50)])
})

test('a part of something larger is packed alone', async () => {
  await using packer = openPacker((error) => assert.fail(String(error)))
  const page = pageOf('cat')
  const { gzip } = await packer.pack(page.subarray(100, 70_000), 'ada')
  assert.ok(gunzipSync(gzip).equals(page.subarray(100, 70_000)))
})

test('who brings much waits for their own: what others bring comes in between', async () => {
  await using packer = openPacker((error) => assert.fail(String(error)))
  const packed: string[] = []
  const pack = async (whose: string) => {
    await packer.pack(pageOf('cat'), whose)
    packed.push(whose)
  }
  await Promise.all(['eve', 'eve', 'eve', 'eve', 'ada', 'ada'].map(pack))
  assert.deepEqual(packed, ['eve', 'eve', 'ada', 'eve', 'ada', 'eve'])
})
