import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSiteHandler } from './handler.ts'
import { PREPARED_MAX, type Representation, representationOf } from './representation.ts'
import type { SiteFile } from './site.ts'

const FILES = 3000
/** A kilobyte is what its head needs; the rest is room for what else happens in the process. */
const BYTES_OF_EACH_MAX = 4000
/** What all heads together may take, and some room, too. */
const MEGABYTES_MAX = 66

test('whoever walks through a site leaves little in memory of each file', async () => {
  const files = new Map<string, SiteFile>()
  for (let at = 0; at < FILES; at++) {
    const path = `${at}.html`
    files.set(path, { path, sha256: String(at).padStart(64, '0'), encodings: { identity: 900, br: 300, gzip: 400 } })
  }
  const serve = createSiteHandler({ blobs: { read: () => assert.fail('read') } })
  const site = { find: (path: string) => files.get(path) }
  await using server = createServer((request, response) => serve(request, response, site)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const walk = async () => {
    const asked = [...files.keys()].map((path) => `HEAD /${path} HTTP/1.1\r\nHost: here\r\nAccept-Encoding: br\r\n\r\n`)
    const socket = connect(port, '127.0.0.1')
    socket.write(`${asked.join('')}HEAD / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`)
    const said = await text(socket)
    assert.equal(said.split('Content-Encoding: br').length - 1, FILES)
  }

  const before = heapBytes()
  await walk()
  const ofEach = (heapBytes() - before) / FILES
  assert.ok(ofEach < BYTES_OF_EACH_MAX, `${Math.round(ofEach)} bytes`)
  assert.equal(files.size, FILES)
})

test('heads are kept for the files that are asked for, and not for more than fit', () => {
  const fileOf = (at: number): SiteFile => ({
    path: `pictures/animals/${at}.html`,
    sha256: String(at).padStart(64, '0'),
    encodings: { identity: at, br: at },
  })
  const first = fileOf(0)
  const before = representationOf(first, 'br')
  while (representationOf(first, 'br') === before) representationOf(fileOf(0), 'br')
  // Nothing is kept now but this one, and the one that did not fit.
  const kept = representationOf(first, 'br')
  const files = Array.from({ length: PREPARED_MAX - 2 }, (_, at) => fileOf(at))
  const bytesBefore = heapBytes()
  for (const file of files) {
    const { head, notModifiedHead, errorHead } = representationOf(file, 'br') as Representation
    // In the forms of HTTP/1 and of HTTP/2.
    for (const { lines, fields } of [head, notModifiedHead, errorHead]) assert.ok(lines && fields)
  }
  const megabytes = (heapBytes() - bytesBefore) / 1e6
  assert.ok(megabytes < MEGABYTES_MAX, `${Math.round(megabytes)} MB`)
  assert.equal(representationOf(first, 'br'), kept)
  representationOf(fileOf(0), 'br')
  const made = representationOf(first, 'br')
  assert.notEqual(made, kept)
  assert.deepEqual(made?.head, kept?.head)
  assert.equal(files.length, PREPARED_MAX - 2)
})

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
