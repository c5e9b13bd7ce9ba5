import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, type ConnectionOptions } from 'node:tls'
import * as fc from 'fast-check'
import { HELLO_BYTES_MAX, readClientHello } from './client-hello.ts'

/** The first bytes that a real client sends. */
async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ ...options, host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  client.on('error', () => {})
  const [socket] = await once(server, 'connection')
  const [bytes] = await once(socket, 'data')
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}

/** The same message spread over records of a given size. */
function inRecordsOf(size: number, hello: Buffer): Buffer {
  const message = hello.subarray(5)
  const records: Buffer[] = []
  for (let at = 0; at < message.length; at += size) {
    const fragment = message.subarray(at, at + size)
    records.push(Buffer.from([22, 3, 1, fragment.length >> 8, fragment.length & 0xff]), fragment)
  }
  return Buffer.concat(records)
}

const hello = await helloOf({ servername: 'Shop.Example', ALPNProtocols: ['h2', 'http/1.1'] })
const expected = { serverName: 'Shop.Example', protocols: ['h2', 'http/1.1'] }

test('name and protocols are read as they were sent, on TLS 1.2 and 1.3', async () => {
  assert.deepEqual(readClientHello(hello), expected)
  const old = await helloOf({ servername: 'shop.example', maxVersion: 'TLSv1.2' })
  assert.deepEqual(readClientHello(old), { serverName: 'shop.example', protocols: [] })
  const nameless = await helloOf({ ALPNProtocols: ['acme-tls/1'] })
  assert.deepEqual(readClientHello(nameless), { serverName: undefined, protocols: ['acme-tls/1'] })
})

test('a hello may arrive in any pieces and records', () => {
  for (let bytes = 0; bytes < hello.length; bytes++) {
    assert.equal(readClientHello(hello.subarray(0, bytes)), 'incomplete', `${bytes} bytes`)
  }
  assert.deepEqual(readClientHello(Buffer.concat([hello, Buffer.from('more')])), expected)
  for (const size of [1, 2, 3, 7, 100]) assert.deepEqual(readClientHello(inRecordsOf(size, hello)), expected)
})

test('what is no hello is refused at once, and what never ends is refused at the limit', () => {
  assert.equal(readClientHello(Buffer.from('GET / HTTP/1.1\r\n')), 'malformed')
  assert.equal(readClientHello(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0])), 'malformed')
  assert.equal(readClientHello(Buffer.from([22, 3, 1, 0xff, 0xff])), 'malformed')
  assert.equal(readClientHello(Buffer.from([22, 3, 1, 0, 4, 1, 0xff, 0xff, 0xff])), 'malformed')
  assert.equal(readClientHello(Buffer.from([22, 3, 1, 0, 0])), 'malformed')
  const endless = Buffer.concat([Buffer.from([22, 3, 1, 0, 5, 1, 0, 0x3f, 0, 0]), Buffer.alloc(HELLO_BYTES_MAX * 2)])
  assert.equal(readClientHello(endless), 'malformed')
})

test('no bytes make it throw', () => {
  const damage = fc.array(fc.tuple(fc.nat(hello.length - 1), fc.nat(255)), { maxLength: 8 })
  fc.assert(
    fc.property(damage, (changes) => {
      const damaged = Buffer.from(hello)
      for (const [at, value] of changes) damaged[at] = value
      readClientHello(damaged)
    }),
    { numRuns: 3000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      readClientHello(Buffer.concat([Buffer.from([22, 3, 1, 0, bytes.length, 1, 0, 0, bytes.length]), bytes]))
    }),
  )
})
