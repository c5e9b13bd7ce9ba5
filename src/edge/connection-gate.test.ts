import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, type BlockList, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { readNetworks } from '../platform/network.ts'
import { ConnectionGate } from './connection-gate.ts'

const server = createServer()
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

async function accepted(from: string): Promise<{ socket: Socket; client: Socket }> {
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', localAddress: from })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  return { socket, client }
}

const closed = (...sockets: Socket[]) => Promise.all(sockets.map((socket) => once(socket, 'close')))

/** Whether a connection was let in at once. */
function admits(gate: ConnectionGate, socket: Socket): boolean {
  let isIn = false
  gate.admit(socket, () => (isIn = true))
  return isIn
}

test('a network holds so many connections and no more, and gets its places back', async () => {
  const gate = new ConnectionGate({ perNetworkMax: 2 })
  const [first, second, third] = [await accepted('127.0.0.2'), await accepted('127.0.0.2'), await accepted('127.0.0.2')]
  assert.deepEqual(
    [admits(gate, first.socket), admits(gate, second.socket), admits(gate, third.socket)],
    [true, true, false],
  )
  assert.equal(third.socket.destroyed, true)
  const other = await accepted('127.0.0.3')
  assert.equal(admits(gate, other.socket), true)
  const place = closed(first.socket)
  first.socket.destroy()
  await place
  const next = await accepted('127.0.0.2')
  assert.equal(admits(gate, next.socket), true)
  const all = closed(second.socket, other.socket, next.socket)
  for (const { socket } of [second, other, next]) socket.destroy()
  await all
  assert.equal(gate.size, 0)
})

test('behind a balancer each client is counted for itself, and the balancer not at all', async () => {
  const trustedProxies = readNetworks(['127.0.0.2']) as BlockList
  const gate = new ConnectionGate({ perNetworkMax: 1, trustedProxies })
  const arrive = async (bytes: string) => {
    const { socket, client } = await accepted('127.0.0.2')
    const served = new Promise<string | undefined>((resolve) => {
      gate.admit(socket, () => resolve(socket.remoteAddress))
      socket.on('close', () => resolve('ended'))
    })
    client.write(bytes)
    const address = await served
    return { address, socket, end: () => client.destroy() }
  }
  const line = (address: string) => `PROXY TCP4 ${address} 127.0.0.1 1234 443\r\n`
  const one = await arrive(line('192.0.2.1'))
  const two = await arrive(line('192.0.2.2'))
  assert.deepEqual([one.address, two.address], ['192.0.2.1', '192.0.2.2'])
  const again = await arrive(line('192.0.2.1'))
  assert.equal(again.address, 'ended')
  const plain = [await arrive('GET /'), await arrive('GET /')]
  assert.deepEqual(
    plain.map(({ address }) => address),
    ['127.0.0.2', '127.0.0.2'],
  )
  const broken = await arrive('PROXY TCP4 nobody\r\n')
  assert.equal(broken.address, 'ended')
  const all = closed(one.socket, two.socket, ...plain.map(({ socket }) => socket))
  for (const { end } of [one, two, ...plain]) end()
  await all
  assert.equal(gate.size, 0)
})

test('who promises a PROXY header and does not send it is let go', async () => {
  const gate = new ConnectionGate({ trustedProxies: readNetworks(['127.0.0.0/8']), proxyHeaderTimeoutMs: 20 })
  const [slow, gone] = [await accepted('127.0.0.2'), await accepted('127.0.0.2')]
  const ended = closed(slow.socket, gone.socket)
  for (const { socket } of [slow, gone]) assert.equal(admits(gate, socket), false)
  slow.client.write('PROX')
  gone.client.end()
  await ended
})
