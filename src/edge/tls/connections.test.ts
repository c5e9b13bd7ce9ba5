import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { Connections, networkOf } from './connections.ts'

test('a network is an IPv4 address or an IPv6 /64, however it is written', () => {
  const expected = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
    '2001:db8:1:2::6': '2001:db8:1:2',
    '2001:db8::6': '2001:db8:0:0',
    '::1': '0:0:0:0',
    'fe80::1%eth0': 'fe80:0:0:0',
    '': '',
  }
  for (const [address, network] of Object.entries(expected)) assert.equal(networkOf(address), network, address)
})

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

test('a network holds so many connections and no more, and gets its places back', async () => {
  const connections = new Connections({ perNetworkMax: 2, handshakeTimeoutMs: 60_000 })
  const sockets = [await accepted('127.0.0.2'), await accepted('127.0.0.2'), await accepted('127.0.0.2')]
  assert.deepEqual(
    sockets.map((socket) => connections.admit(socket)),
    [true, true, false],
  )
  assert.equal(sockets[2]!.destroyed, true)
  const other = await accepted('127.0.0.3')
  assert.equal(connections.admit(other), true)
  const place = closed(sockets[0]!)
  sockets[0]!.destroy()
  await place
  const next = await accepted('127.0.0.2')
  assert.equal(connections.admit(next), true)
  const all = closed(sockets[1]!, other, next)
  connections.closeAll()
  await all
  assert.deepEqual([connections.size, connections.networks], [0, 0])
})

test('a handshake that is not done in time ends, one that is done stays', async () => {
  const connections = new Connections({ perNetworkMax: 9, handshakeTimeoutMs: 50 })
  const [late, done] = [await accepted('127.0.0.2'), await accepted('127.0.0.2')]
  connections.admit(late)
  connections.admit(done)
  connections.establish(done, 'shop.example')
  await closed(late)
  assert.equal(done.destroyed, false)
  const end = closed(done)
  assert.equal(connections.close('shop.example'), 1)
  await end
  assert.equal(connections.close('shop.example'), 0)
  assert.equal(connections.size, 0)
})
