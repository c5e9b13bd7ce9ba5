import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { precompress } from './encodings.ts'

const page = Buffer.from('<p>The animals of the store, one by one.</p>\n'.repeat(200))

test('text is kept in both encodings, and each unpacks to the same bytes', async () => {
  const { br, gzip } = await precompress(page)
  assert.ok(br && gzip && br.length < gzip.length)
  assert.ok(brotliDecompressSync(br).equals(page))
  assert.ok(gunzipSync(gzip).equals(page))
})

test('an encoding that saves less than a tenth is not kept', async () => {
  assert.deepEqual(await precompress(randomBytes(5000)), { br: undefined, gzip: undefined })
  assert.deepEqual(await precompress(gzipSync(randomBytes(300_000))), { br: undefined, gzip: undefined })
})

test('a file that is nearly dense, and still saves a tenth, is packed', async () => {
  const picture = randomBytes(300_000).map((byte, index) => (index % 5 === 0 ? 0 : byte))
  const { br } = await precompress(picture)
  assert.ok(br && br.length > picture.length * 0.75, `${br?.length}`)
})

test('a file whose start is dense is judged by its middle too', async () => {
  const { br } = await precompress(Buffer.concat([randomBytes(40_000), Buffer.alloc(400_000, 'animals ')]))
  assert.ok(br && br.length < 60_000)
})

test('files that fit one packet are left alone', async () => {
  assert.deepEqual(await precompress(Buffer.from('a{}'.repeat(20))), { br: undefined, gzip: undefined })
  assert.deepEqual(await precompress(Buffer.alloc(0)), { br: undefined, gzip: undefined })
})

test('the event loop keeps turning while a file is packed', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await precompress(Buffer.from(page.toString().repeat(120)))
  clearInterval(timer)
  assert.ok(turns > 0)
})
