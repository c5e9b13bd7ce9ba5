import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { Connections } from './connections.ts'

const server = createServer()
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

async function accepted(from: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', localAddress: from })
  client.on('error', () => {})
  const [socket] = await once(server, 'connection')
  return socket
}

const closed = (...sockets: Socket[]) => Promise.all(sockets.map((socket) => once(socket, 'close')))

test('a handshake that is not done in time ends, one that is done stays', async () => {
  const connections = new Connections({ handshakeTimeoutMs: 50 })
  const [late, done] = [await accepted('127.0.0.2'), await accepted('127.0.0.2')]
  connections.add(late)
  connections.add(done)
  connections.establish(done, 'shop.example')
  await closed(late)
  assert.equal(done.destroyed, false)
  const end = closed(done)
  assert.equal(connections.close('shop.example'), 1)
  await end
  assert.equal(connections.close('shop.example'), 0)
  assert.equal(connections.size, 0)
})
