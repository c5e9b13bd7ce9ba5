import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startEdge } from '../../../test/edge/tls-fixture.ts'
import { createInternalCa, createRoot } from '../../features/certificates/authority/internal-ca.ts'
import { systemClock } from '../../platform/clock.ts'
import { createSiteHandler } from '../site/handler.ts'
import { SLICE_BYTES } from '../site/blob-cache.ts'
import { h2Exchange } from './h2-exchange.ts'

const HOST = 'shop.example'
const LARGE = Buffer.alloc(3 * SLICE_BYTES + 7, 'x')
const contents = { a: Buffer.from('<h1>Žofka</h1>'), b: LARGE }
const files = new Map(
  Object.entries({ 'index.html': 'a', 'large.bin': 'b' } as const).map(([path, sha256]) => [
    path,
    { path, sha256, encodings: { identity: contents[sha256].length }, headers: [] },
  ]),
)

test('a site is read over HTTP/2 as over HTTP/1.1', async () => {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { privateKeyPem: key, chainPem: cert } = await ca.issue([HOST])
  const serve = createSiteHandler({
    blobs: { read: async (sha256, _, start, end) => contents[sha256 as 'a' | 'b'].subarray(start, end) },
  })
  await using edge = await startEdge(
    { [HOST]: { id: '1', key, cert } },
    {
      handle(request, response) {
        response.setHeader('X-Robots-Tag', 'noindex')
        serve(request, response, { find: (path) => files.get(path) })
      },
    },
  )
  const session = connect(`https://127.0.0.1:${edge.port}`, { servername: HOST, rejectUnauthorized: false })
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const stream = session.request({ ':authority': HOST, ':path': path, ...more })
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    const ended = once(stream, 'end')
    const [headers] = await once(stream, 'response')
    await ended
    return { status: headers[':status'] as number, headers, body: Buffer.concat(chunks) }
  }

  const page = await ask('/')
  assert.deepEqual([page.status, page.body], [200, contents.a])
  assert.equal(page.headers['x-robots-tag'], 'noindex')
  assert.ok(page.headers.date)
  const etag = page.headers.etag as string
  const head = await ask('/', { ':method': 'HEAD' })
  assert.deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, '15'])
  const known = await ask('/', { 'if-none-match': etag })
  assert.deepEqual([known.status, known.body.length], [304, 0])
  const large = await ask('/large.bin')
  assert.deepEqual([large.status, large.body.equals(LARGE)], [200, true])
  const part = await ask('/large.bin', { range: `bytes=${SLICE_BYTES - 1}-${SLICE_BYTES}` })
  assert.deepEqual([part.status, String(part.body)], [206, 'xx'])
  assert.equal((await ask('/nothing')).status, 404)
  assert.equal((await ask('/', { ':method': 'POST' })).status, 405)
  assert.equal((await ask('/', { expect: '100-continue' })).status, 200)
  assert.equal((await ask('/', { ':authority': 'other.example' })).status, 421)

  const gone = session.request({ ':authority': HOST, ':path': '/large.bin' })
  await once(gone, 'response')
  gone.close()
  await once(gone, 'close')
  assert.equal((await ask('/')).status, 200, 'a visitor who leaves disturbs nobody')
  session.close()
})

test('whoever sends is told of the end of it, also where the stream has ended before', async () => {
  const told: string[] = []
  await using server = createServer()
  const closed = Promise.withResolvers<void>()
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {}).on('close', closed.resolve)
    const { response } = h2Exchange(stream, headers)
    const tell = (which: string) => (error?: Error | null) =>
      void told.push(`${which} ${error || stream.destroyed ? 'lost' : 'sent'}`)
    response.writeHead(200, {})
    // More than the client takes.
    response.write('in part', tell('first'))
    response.write('waiting', tell('second'))
    response.end(Buffer.from('last'), tell('last') as never)
    response.end(Buffer.from('too late'), tell('late') as never)
    session.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 4 } })
  session.request().on('error', () => {})
  await closed.promise
  assert.deepEqual(told.toSorted(), ['first lost', 'last lost', 'late lost', 'second lost'])
})
