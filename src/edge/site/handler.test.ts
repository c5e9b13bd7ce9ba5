import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { SLICE_BYTES } from './blob-cache.ts'
import { IMMUTABLE, REVALIDATE } from './cache-policy.ts'
import type { Encoding } from '../../platform/http/encoding/negotiate.ts'
import { createSiteHandler } from './handler.ts'
import type { Site, SiteFile } from './site.ts'

const large = Buffer.alloc(SLICE_BYTES * 2 + 777, 'petstore large file ')
const contents: Record<string, string | Buffer> = {
  'index.html': '<h1>front</h1>',
  'about.html': '<h1>about</h1>'.repeat(50),
  'docs/index.html': '<h1>docs</h1>',
  'docs/caf\u00e9.html': '<h1>caf\u00e9</h1>',
  'both.html': 'file',
  'both/index.html': 'folder',
  'app.8d3f2a1b.js': 'console.log(1)',
  'empty.txt': '',
  'large.bin': large,
  download: 'bytes',
  '404.html': '<h1>custom not found</h1>'.repeat(50),
  '.well-known/acme-challenge/token': 'stolen',
  '.well-known/security.txt': 'Contact: mailto:a@example.com',
}

interface Stored {
  file: SiteFile
  bytes: Record<string, Buffer>
}

function store(path: string, content: string | Buffer): Stored {
  const identity = Buffer.from(content)
  const bytes: Record<string, Buffer> = { identity }
  if (path.endsWith('.html')) Object.assign(bytes, { br: brotliCompressSync(identity), gzip: gzipSync(identity) })
  const encodings = Object.fromEntries(Object.entries(bytes).map(([encoding, { length }]) => [encoding, length]))
  const sha256 = createHash('sha256').update(identity).digest('hex')
  return { file: { path, sha256, encodings: encodings as SiteFile['encodings'] }, bytes }
}

const stored = new Map(Object.entries(contents).map(([path, content]) => [path, store(path, content)]))
const byHash = new Map([...stored.values()].map((entry) => [entry.file.sha256, entry]))
const site: Site = { find: (path) => stored.get(path)?.file }
const bare: Site = { find: (path) => (path === 'index.html' ? stored.get(path)?.file : undefined) }

const read = async (sha256: string, encoding: Encoding, start: number, end: number) =>
  byHash.get(sha256)!.bytes[encoding]!.subarray(start, end)
// Smaller than the large file, so that slices leave while it is being served.
const serve = createSiteHandler({ blobs: { read }, cacheBytesMax: SLICE_BYTES + 100_000 })

let server: Server
before(async () => {
  server = createServer((request, response) => serve(request, response, request.headers['x-bare'] ? bare : site))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => server.close())

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end()
  })
}

interface Scenario {
  what: string
  path: string
  method?: string
  send?: Record<string, string>
  status: number
  body?: string | Buffer
  headers?: Record<string, string | undefined>
}

const HTML = 'text/html; charset=utf-8'
const aboutTag = `"${stored.get('about.html')!.file.sha256.slice(0, 32)}"`
const largeTag = `"${stored.get('large.bin')!.file.sha256.slice(0, 32)}"`

const scenarios: Scenario[] = [
  {
    what: 'the front page',
    path: '/',
    status: 200,
    body: '<h1>front</h1>',
    headers: {
      'content-type': HTML,
      'cache-control': REVALIDATE,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      vary: 'Accept-Encoding',
    },
  },
  { what: 'a page by its file name', path: '/about.html', status: 200, headers: { etag: aboutTag } },
  { what: 'a page by its clean name', path: '/about?x=1', status: 200, headers: { etag: aboutTag } },
  {
    what: 'a clean name with a slash too many',
    path: '/about/?x=1',
    status: 308,
    headers: { location: '/about?x=1' },
  },
  { what: 'a folder with its slash', path: '/docs/', status: 200, body: '<h1>docs</h1>' },
  {
    what: 'a folder without its slash',
    path: '/docs?x=1&y=%2F',
    status: 308,
    headers: { location: '/docs/?x=1&y=%2F', 'cache-control': REVALIDATE },
  },
  {
    what: 'a folder behind two slashes, which is no other host',
    path: '//docs',
    status: 308,
    headers: { location: '/docs/' },
  },
  { what: 'a name outside ASCII', path: '/docs/caf%C3%A9', status: 200, body: '<h1>caf\u00e9</h1>' },
  { what: 'the file rather than the folder of the same name', path: '/both', status: 200, body: 'file' },
  { what: 'the folder when asked with a slash', path: '/both/', status: 200, body: 'folder' },
  {
    what: 'a fingerprinted name',
    path: '/app.8d3f2a1b.js',
    status: 200,
    headers: { 'cache-control': IMMUTABLE, 'content-type': 'text/javascript; charset=utf-8', vary: undefined },
  },
  {
    what: 'a name without extension',
    path: '/download',
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
  },
  { what: 'an empty file', path: '/empty.txt', status: 200, body: '', headers: { 'content-length': '0' } },
  {
    what: 'a range of an empty file',
    path: '/empty.txt',
    send: { range: 'bytes=0-' },
    status: 416,
    headers: { 'content-range': 'bytes */0' },
  },
  { what: 'a large file', path: '/large.bin', status: 200, body: large },
  {
    what: 'a range across slices',
    path: '/large.bin',
    send: { range: `bytes=${SLICE_BYTES - 5}-${SLICE_BYTES + 4}` },
    status: 206,
    body: large.subarray(SLICE_BYTES - 5, SLICE_BYTES + 5),
    headers: { 'content-range': `bytes ${SLICE_BYTES - 5}-${SLICE_BYTES + 4}/${large.length}` },
  },
  {
    what: 'the tail of a large file',
    path: '/large.bin',
    send: { range: 'bytes=-10' },
    status: 206,
    body: large.subarray(-10),
  },
  {
    what: 'a range of a small file',
    path: '/download',
    send: { range: 'bytes=1-2' },
    status: 206,
    body: 'yt',
    headers: { 'content-range': 'bytes 1-2/5', 'content-length': '2' },
  },
  {
    what: 'a range beyond the end',
    path: '/download',
    send: { range: 'bytes=5-' },
    status: 416,
    body: '',
    headers: { 'content-range': 'bytes */5' },
  },
  {
    what: 'a range beyond the end, which no cache keeps for the file',
    path: '/app.8d3f2a1b.js',
    send: { range: 'bytes=99-' },
    status: 416,
    headers: { 'cache-control': 'no-store', etag: undefined },
  },
  { what: 'several ranges', path: '/download', send: { range: 'bytes=0-0,2-3' }, status: 200, body: 'bytes' },
  { what: 'a malformed range', path: '/download', send: { range: 'bytes=x' }, status: 200, body: 'bytes' },
  {
    what: 'a range on HEAD',
    path: '/download',
    method: 'HEAD',
    send: { range: 'bytes=1-2' },
    status: 200,
    body: '',
    headers: { 'content-length': '5' },
  },
  {
    what: 'If-Range with the version held',
    path: '/large.bin',
    send: { range: 'bytes=0-3', 'if-range': largeTag },
    status: 206,
    body: large.subarray(0, 4),
  },
  {
    what: 'If-Range with another version',
    path: '/download',
    send: { range: 'bytes=0-3', 'if-range': '"other"' },
    status: 200,
    body: 'bytes',
  },
  {
    what: 'If-Range with a date',
    path: '/download',
    send: { range: 'bytes=0-3', 'if-range': 'Thu, 05 Dec 2030 00:00:00 GMT' },
    status: 200,
    body: 'bytes',
  },
  {
    what: 'If-None-Match with the version held',
    path: '/about',
    send: { 'if-none-match': aboutTag },
    status: 304,
    body: '',
    headers: { etag: aboutTag, vary: 'Accept-Encoding', 'cache-control': REVALIDATE },
  },
  {
    what: 'If-None-Match with a weak list',
    path: '/about',
    send: { 'if-none-match': `"x", W/${aboutTag}` },
    status: 304,
  },
  {
    what: 'If-None-Match with the tag of another encoding',
    path: '/about',
    send: { 'if-none-match': aboutTag, 'accept-encoding': 'br' },
    status: 200,
  },
  {
    what: 'If-None-Match before a range',
    path: '/large.bin',
    send: { 'if-none-match': largeTag, range: 'bytes=0-1' },
    status: 304,
  },
  { what: 'If-Match with another version', path: '/about', send: { 'if-match': '"other"' }, status: 412 },
  { what: 'If-Match with the version held', path: '/about', send: { 'if-match': aboutTag }, status: 200 },
  {
    what: 'HEAD',
    path: '/about',
    method: 'HEAD',
    status: 200,
    body: '',
    headers: { 'content-length': '700', etag: aboutTag },
  },
  {
    what: 'an unknown page',
    path: '/nowhere',
    status: 404,
    body: String(contents['404.html']),
    headers: { etag: undefined, 'cache-control': REVALIDATE },
  },
  { what: 'an unknown page, conditionally', path: '/nowhere', send: { 'if-none-match': '*' }, status: 404 },
  { what: 'an unknown page on HEAD', path: '/nowhere', method: 'HEAD', status: 404, body: '' },
  {
    what: 'an unknown page of a site without 404.html',
    path: '/nowhere',
    send: { 'x-bare': '1' },
    status: 404,
    headers: { 'content-type': HTML, 'cache-control': 'no-store' },
  },
  { what: 'a file in the place of challenges', path: '/.well-known/acme-challenge/token', status: 404 },
  {
    what: 'a file in the place of challenges, disguised',
    path: '/x/..//%2ewell-known/acme%2Dchallenge/./token',
    status: 404,
  },
  { what: 'other well-known files', path: '/.well-known/security.txt', status: 200 },
  { what: 'traversal', path: '/../../../etc/passwd', status: 404 },
  { what: 'encoded traversal', path: '/..%2f..%2fetc/passwd', status: 400 },
  { what: 'a broken encoding', path: '/%zz', status: 400 },
  { what: 'an absolute target', path: 'http://other.example/about', status: 400 },
  { what: 'POST', path: '/about', method: 'POST', status: 405, headers: { allow: 'GET, HEAD' } },
  { what: 'OPTIONS', path: '*', method: 'OPTIONS', status: 405 },
  { what: 'names of objects', path: '/__proto__/constructor', status: 404 },
]

for (const scenario of scenarios) {
  test(`${scenario.method ?? 'GET'} ${scenario.what}: ${scenario.status}`, async () => {
    const answer = await ask(scenario.path, scenario.send, scenario.method)
    assert.equal(answer.status, scenario.status)
    for (const [name, value] of Object.entries(scenario.headers ?? {})) assert.equal(answer.headers[name], value, name)
    if (scenario.body !== undefined) assert.ok(answer.body.equals(Buffer.from(scenario.body)), 'another body')
  })
}

test('compressed forms are sent to those who take them, each with its own validator', async () => {
  const plain = await ask('/about')
  const br = await ask('/about', { 'accept-encoding': 'gzip, br' })
  const gzip = await ask('/about', { 'accept-encoding': 'gzip, br;q=0.2' })
  assert.equal(br.headers['content-encoding'], 'br')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.ok(brotliDecompressSync(br.body).equals(plain.body))
  assert.ok(gunzipSync(gzip.body).equals(plain.body))
  assert.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3)
  for (const { headers } of [plain, br, gzip]) assert.equal(headers.vary, 'Accept-Encoding')

  const part = await ask('/about', { 'accept-encoding': 'br', range: 'bytes=0-3' })
  assert.ok(part.body.equals(br.body.subarray(0, 4)))
  const again = await ask('/about', { 'accept-encoding': 'br', 'if-none-match': br.headers.etag! })
  assert.equal(again.status, 304)
  const missing = await ask('/nowhere', { 'accept-encoding': 'gzip' })
  assert.equal(gunzipSync(missing.body).toString(), contents['404.html'])
})

/** Runs the questions against a site whose reads fail from an offset on. */
async function withBrokenStorage(failFrom: number, questions: (origin: string, errors: unknown[]) => Promise<void>) {
  const errors: unknown[] = []
  const handler = createSiteHandler({
    blobs: {
      read: async (sha256, encoding, start, end) => {
        if (start >= failFrom) throw new Error('disk on fire')
        return read(sha256, encoding, start, end)
      },
    },
    onError: (error) => errors.push(error),
  })
  const broken = createServer((request, response) => handler(request, response, site))
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  try {
    await questions(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`, errors)
  } finally {
    broken.closeAllConnections()
    broken.close()
  }
}

test('storage trouble is a 503 that asks to come back and says nothing of the cause', () =>
  withBrokenStorage(0, async (origin, errors) => {
    for (const path of ['/about', '/large.bin', '/nowhere']) {
      const response = await fetch(origin + path)
      assert.equal(response.status, 503, path)
      assert.equal(response.headers.get('retry-after'), '1')
      assert.ok(!(await response.text()).includes('fire'))
    }
    assert.equal(errors.length, 3)
  }))

test('a read that fails half way breaks the connection instead of ending the body early', () =>
  withBrokenStorage(SLICE_BYTES, async (origin, errors) => {
    const response = await fetch(`${origin}/large.bin`)
    assert.equal(response.status, 200)
    await assert.rejects(response.arrayBuffer())
    assert.equal(errors.length, 1)
    assert.equal((await fetch(`${origin}/docs/`)).status, 200)
  }))

test('no request path escapes the site or makes the server fail', async () => {
  const known = new Set(Object.values(contents).map((content) => createHash('sha256').update(content).digest('hex')))
  const piece = fc.oneof(
    fc.constantFrom('/', '//', '..', '.', '%2e', '%2F', '%5c', '\\', '%00', '%', '?', '#', '@', ':', '%ff', '%C3%A9'),
    fc.constantFrom('docs', 'about', '.html', '*'),
    fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, isHead) => {
      const path = `/${pieces.join('')}`.replaceAll(/[\s\u007f]/g, '+')
      const { status, body, headers } = await ask(path, {}, isHead ? 'HEAD' : 'GET')
      assert.ok([200, 308, 400, 404].includes(status), `${path}: ${status}`)
      if (status === 308) assert.equal(new URL(headers.location!, 'https://site.example').host, 'site.example')
      if (status === 200 && !isHead) assert.ok(known.has(createHash('sha256').update(body).digest('hex')), path)
    }),
    { numRuns: 400 },
  )
})
