import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isCompressible, precompress } from './encodings.ts'

const page = Buffer.from('<p>The animals of the store, one by one.</p>\n'.repeat(200))

test('text is kept in both encodings, and each unpacks to the same bytes', async () => {
  const { br, gzip } = await precompress('docs/index.html', page)
  assert.ok(br && gzip && br.length < gzip.length)
  assert.ok(brotliDecompressSync(br).equals(page))
  assert.ok(gunzipSync(gzip).equals(page))
})

test('an encoding that saves less than a tenth is not kept', async () => {
  assert.deepEqual(await precompress('noise.json', randomBytes(5000)), { br: null, gzip: null })
})

test('types that are compressed already, and files that fit one packet, are left alone', async () => {
  assert.deepEqual(await precompress('photo.jpg', page), { br: null, gzip: null })
  assert.deepEqual(await precompress('tiny.css', Buffer.from('a{}'.repeat(20))), { br: null, gzip: null })
  assert.deepEqual(await precompress('empty.js', Buffer.alloc(0)), { br: null, gzip: null })
  assert.equal(isCompressible('A.SVG'), true)
  assert.equal(isCompressible('.html/photo'), false)
  assert.equal(isCompressible('LICENSE'), false)
})

test('the event loop keeps turning while a file is packed', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await precompress('app.js', Buffer.from(page.toString().repeat(12)))
  clearInterval(timer)
  assert.ok(turns > 0)
})
