import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import {
  type ClientHttp2Session,
  connect,
  constants,
  createSecureServer as createSecureHttp2Server,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer as createSecureServer, get as getSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '../../platform/clock.ts'
import { createInternalCa, createRoot } from '../../features/certificates/authority/internal-ca.ts'
import { withoutBody } from '../node-internals.ts'
import { h2Exchange } from '../tls/h2-exchange.ts'
import { SLICE_BYTES } from './blob-cache.ts'
import { createSiteHandler } from './handler.ts'

const VISITORS = 20
/** The last is more than the system takes at once for somebody who does not read it. */
const SIZES = [40_000, 300_000, SLICE_BYTES, SLICE_BYTES * 16 + 5]

/** Each file is one letter, so that a byte of another shows. */
const letterOf = (file: number) => 97 + (file % 26)
const sizeOf = (file: number) => SIZES[file % SIZES.length] as number

let read: ArrayBuffer[] = []

const answer: RequestListener = (() => {
  const serve = createSiteHandler({
    blobs: {
      async read(sha256, _encoding, start, end) {
        const bytes = Buffer.alloc(end - start, letterOf(Number(sha256)))
        read.push(bytes.buffer)
        return bytes
      },
    },
    // Nearly everything leaves at once.
    cacheBytesMax: SLICE_BYTES,
  })
  const find = (path: string) => ({ path, sha256: path, encodings: { identity: sizeOf(Number(path)) } })
  return (request, response) => serve(request, response, { find })
})()

for (const secure of [false, true]) {
  const [scheme, ask] = secure ? (['https', getSecurely] as const) : (['http', get] as const)

  test(`slow readers over ${scheme} get their own bytes while memory is given back and used again`, async () => {
    const server = secure ? createSecureServer(await certificate(), answer) : createServer(answer)
    await using _closing = server.listen(0, '127.0.0.1')
    // Before it is closed, which waits for everybody: when one has failed the others are still reading.
    using _ending = { [Symbol.dispose]: () => server.closeAllConnections() }
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await visitAll(async (file) => {
      const options = { port, host: '127.0.0.1', path: `/${file}`, agent: false, rejectUnauthorized: false } as const
      const request = ask(options).on('error', () => {})
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return { body: response, leave: () => request.destroy() }
    })
  })

  test(`and so do those of HTTP/2 over ${scheme}, ten on a connection`, async () => {
    const server = secure ? createSecureHttp2Server(await certificate()) : createHttp2Server()
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => {})
      withoutBody(stream)
      const { request, response } = h2Exchange(stream, headers)
      answer(request, response)
    })
    await using _closing = server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sessions = Array.from({ length: VISITORS / 10 }, () =>
      connect(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false }),
    )
    using _ending = { [Symbol.dispose]: () => sessions.forEach((session) => session.destroy()) }
    await visitAll(async (file) => {
      const stream = (sessions[file % sessions.length] as ClientHttp2Session).request({ ':path': `/${file}` })
      stream.on('error', () => {})
      await once(stream, 'response')
      return { body: stream, leave: () => stream.close(constants.NGHTTP2_CANCEL) }
    })
  })
}

interface Visit {
  body: AsyncIterable<Buffer>
  leave(): void
}

async function visitAll(open: (file: number) => Promise<Visit>): Promise<void> {
  read = []
  const visit = async (file: number) => {
    const { body, leave } = await open(file)
    // Every fifth leaves in the middle.
    if (file % 5 === 4) return leave()
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      assert.equal(chunk.compare(Buffer.alloc(chunk.length, letterOf(file))), 0, `file ${file} at ${bytes}`)
      for (let turns = 0; turns < 10; turns++) await turn()
    }
    assert.equal(bytes, sizeOf(file))
  }
  await Promise.all(Array.from({ length: VISITORS }, (_, file) => visit(file)))
  const givenBack = read.filter(({ detached }) => detached)
  assert.ok(givenBack.length > read.length / 2, `${givenBack.length} of ${read.length} were given back`)
}

async function certificate() {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { privateKeyPem: key, chainPem: cert } = await ca.issue(['localhost'])
  return { key, cert }
}
