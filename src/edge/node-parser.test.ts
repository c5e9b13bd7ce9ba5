import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { headsFirst, type RequestHead } from './node-parser.ts'

test('heads are offered before anything is made of them, of connections that want it', async () => {
  const heads: RequestHead[] = []
  const server = createServer((request, response) => response.end(`made ${request.url}`))
  server.on('connection', (socket) =>
    headsFirst(socket, (head, leaveToNode) => {
      heads.push(head)
      if (head.url !== '/taken') return leaveToNode()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken')
      return 0
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET /taken HTTP/1.1\r\nA: b\r\n\r\n')
  client.write('GET /whole HTTP/1.1\r\nHost: c\r\n\r\n')
  client.write(`GET /parts HTTP/1.1\r\nHost: c\r\n${'A: b\r\n'.repeat(40)}\r\n`)
  client.end('POST /left HTTP/1.0\r\nHost: c\r\n\r\n')
  const said = await text(client)
  server.close()
  assert.match(
    said,
    /\r\n\r\ntakenHTTP\/1\.1 200 OK[^]*\r\n\r\nmade \/whole[^]*\r\n\r\nmade \/parts[^]*\r\n\r\nmade \/left$/,
  )
  const plain = { isWhole: true, method: 'GET', isVersion11: true, isUpgrade: false, keepsAlive: true }
  assert.deepEqual(heads, [
    { ...plain, url: '/taken', rawHeaders: ['A', 'b'] },
    { ...plain, url: '/whole', rawHeaders: ['Host', 'c'] },
    { ...plain, isWhole: false, url: '', rawHeaders: [] },
    { ...plain, isWhole: false, url: '', rawHeaders: [], method: 'POST', isVersion11: false, keepsAlive: false },
  ])
})
