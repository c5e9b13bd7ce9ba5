import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestOptions, type RequestListener } from 'node:http'
import { createServer as createSecureServer, get as getSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '../../platform/clock.ts'
import { createInternalCa, createRoot } from '../../features/certificates/authority/internal-ca.ts'
import { SLICE_BYTES } from './blob-cache.ts'
import { createSiteHandler } from './handler.ts'

const VISITORS = 40
const SIZES = [40_000, 300_000, SLICE_BYTES, SLICE_BYTES * 3 + 5]

/** Each file is one letter, so that a byte of another shows. */
const letterOf = (file: number) => 97 + (file % 26)
const sizeOf = (file: number) => SIZES[file % SIZES.length] as number

const answer: RequestListener = (() => {
  const serve = createSiteHandler({
    blobs: { read: async (sha256, _encoding, start, end) => Buffer.alloc(end - start, letterOf(Number(sha256))) },
    // Nearly everything leaves at once.
    cacheBytesMax: SLICE_BYTES,
  })
  const find = (path: string) => ({ path, sha256: path, encodings: { identity: sizeOf(Number(path)) } })
  return (request, response) => serve(request, response, { find })
})()

for (const scheme of ['http', 'https'] as const) {
  test(`slow readers over ${scheme} get their own bytes while memory is given back and used again`, async () => {
    const server = scheme === 'http' ? createServer(answer) : createSecureServer(await certificate(), answer)
    await using _closing = server.listen(0, '127.0.0.1')
    // Before it is closed, which waits for everybody: when one has failed the others are still reading.
    using _ending = { [Symbol.dispose]: () => server.closeAllConnections() }
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = (file: number) => {
      const options: RequestOptions = { port, host: '127.0.0.1', path: `/${file}`, agent: false }
      return scheme === 'http' ? get(options) : getSecurely({ ...options, rejectUnauthorized: false })
    }
    const visit = async (file: number) => {
      const request = ask(file).on('error', () => {})
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      // Every fifth leaves in the middle.
      if (file % 5 === 4) return void request.destroy()
      let bytes = 0
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length
        assert.equal(chunk.compare(Buffer.alloc(chunk.length, letterOf(file))), 0, `file ${file} at ${bytes}`)
        for (let turns = 0; turns < 20; turns++) await turn()
      }
      assert.equal(bytes, sizeOf(file))
    }
    await Promise.all(Array.from({ length: VISITORS }, (_, file) => visit(file)))
  })
}

async function certificate() {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { privateKeyPem: key, chainPem: cert } = await ca.issue(['localhost'])
  return { key, cert }
}
