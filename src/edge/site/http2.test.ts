import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type Http2Server,
  type ServerHttp2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { SLICE_BYTES } from './blob-cache.ts'
import { createSiteHandler } from './handler.ts'
import type { SiteFile } from './site.ts'

const contents = new Map([
  ['index.html', Buffer.from('<h1>front</h1>')],
  ['large.bin', Buffer.alloc(SLICE_BYTES * 12, 'petstore large file ')],
])
const files = new Map<string, SiteFile>()
const byHash = new Map<string, Buffer>()
for (const [path, bytes] of contents) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  files.set(path, { path, sha256, encodings: { identity: bytes.length } })
  byHash.set(sha256, bytes)
}

let reads = 0
let server: Http2Server
let client: ClientHttp2Session
before(async () => {
  const serve = createSiteHandler({
    blobs: {
      read: async (sha256, _encoding, start, end) => {
        reads++
        return byHash.get(sha256)!.subarray(start, end)
      },
    },
    cacheBytesMax: 1,
    unsentBytesMax: 4 * SLICE_BYTES,
  })
  server = createServer((request, response) => {
    const site = { find: (path: string) => files.get(path) }
    serve(request as unknown as IncomingMessage, response as unknown as ServerResponse, site)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = open()
})

const open = () => connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

after(() => {
  client.close()
  server.close()
})

async function ask(headers: OutgoingHttpHeaders) {
  const stream = client.request(headers)
  const [answer] = await once(stream, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { status: answer[':status'], headers: answer, body: Buffer.concat(chunks) }
}

test('HTTP/2 gets the same answers', async () => {
  const front = await ask({ ':path': '/' })
  assert.equal(front.status, 200)
  assert.equal(front.body.toString(), '<h1>front</h1>')
  assert.equal(front.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal((await ask({ ':path': '/', 'if-none-match': front.headers.etag })).status, 304)
  assert.equal((await ask({ ':path': '/', ':method': 'HEAD' })).headers['content-length'], '14')
  assert.equal((await ask({ ':path': '/nowhere' })).status, 404)
  assert.equal((await ask({ ':path': '/', ':method': 'POST' })).status, 405)
  const part = await ask({ ':path': '/large.bin', range: `bytes=${SLICE_BYTES - 1}-${SLICE_BYTES}` })
  assert.equal(part.status, 206)
  assert.equal(part.body.length, 2)
  assert.ok((await ask({ ':path': '/large.bin' })).body.equals(contents.get('large.bin')!))
})

test('a visitor who does not read makes the server read little, and one who leaves ends the reading', async () => {
  reads = 0
  const slow = open()
  const stream = slow.request({ ':path': '/large.bin' })
  await once(stream, 'response')
  assert.equal((await ask({ ':path': '/' })).status, 200)
  assert.ok(reads < 6, `${reads} of 12 slices`)
  slow.destroy()
  const readsThen = reads
  assert.equal((await ask({ ':path': '/' })).status, 200)
  assert.ok(reads <= readsThen + 2)
})

test('a visitor who asks for much and reads nothing loses it, and whoever reads gets everything', async () => {
  const streams: ServerHttp2Stream[] = []
  const note = (stream: ServerHttp2Stream) => void streams.push(stream)
  server.on('stream', note)
  const slow = open()
  for (let at = 0; at < 8; at++) {
    // One after the other: what is asked for at once is read once, and held once.
    await once(slow.request({ ':path': '/large.bin' }), 'response')
  }
  assert.deepEqual(
    streams.map(({ destroyed }) => destroyed),
    [true, true, true, true, false, false, false, false],
  )
  assert.ok((await ask({ ':path': '/large.bin' })).body.equals(contents.get('large.bin')!))
  server.off('stream', note)
  slow.destroy()
})
