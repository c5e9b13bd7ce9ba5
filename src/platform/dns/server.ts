import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv4, type Server as TcpServer, type Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import type { ServerAddress } from './address.ts'
import { type ReplyContext, replyTo, type Transport } from './reply.ts'
import { withLength } from './transport.ts'
import type { ZoneSource } from './zone.ts'

export interface DnsServerNeeds {
  clock: Clock
  /** One per nameserver; they may share an address and differ in the port. */
  listeners: ListenerOptions[]
  onError?: (error: unknown) => void
}

interface ListenerOptions extends ServerAddress {
  /** By this name `onlyOn` picks out records and faults. Port 0 takes a free one. */
  nameserver: string
  zones: ZoneSource
  /** Answers as a resolver does that could ask all these zones: without authority, and failing where they fail. */
  recursive?: boolean
}

export interface DnsServer extends AsyncDisposable {
  /** Where each listener really listens, in the given order. */
  readonly listeners: (ServerAddress & { nameserver: string })[]
}

/** An authoritative DNS server over UDP and TCP; it answers from its zones and asks nobody. */
export async function startDnsServer(options: DnsServerNeeds): Promise<DnsServer> {
  const { clock, onError = () => {} } = options
  await using opened = new AsyncDisposableStack()
  const listeners: DnsServer['listeners'] = []
  for (const { nameserver, address, port, zones, recursive = false } of options.listeners) {
    const closing = new AbortController()
    const context: ReplyContext = { zones, clock, nameserver, recursive, signal: closing.signal, onError }
    const { udp, tcp } = await bindBoth(address, port)
    const connections = new Set<Socket>()
    opened.defer(() => {
      closing.abort()
      for (const socket of connections) socket.destroy()
      return close(udp, tcp)
    })
    udp.on('error', onError)
    tcp.on('error', onError)
    serveUdp(udp, context)
    serveTcp(tcp, connections, context)
    listeners.push({ nameserver, address, port: udp.address().port })
  }
  const running = opened.move()
  return { listeners, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function serveUdp(udp: UdpSocket, context: ReplyContext): void {
  udp.on('message', (packet, sender) => {
    answer(packet, 'udp', context, (reply) => {
      if (context.signal.aborted) return
      udp.send(reply, sender.port, sender.address, (error) => error && context.onError(error))
    })
  })
}

function serveTcp(tcp: TcpServer, connections: Set<Socket>, context: ReplyContext): void {
  tcp.maxConnections = TCP_CONNECTIONS_MAX
  tcp.on('connection', (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy())
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0)
        const packet = received.subarray(2, end)
        received = received.subarray(end)
        answer(
          packet,
          'tcp',
          context,
          (reply) => socket.write(withLength(reply)),
          () => socket.destroy(),
        )
      }
    })
  })
}

function answer(
  packet: Buffer,
  transport: Transport,
  context: ReplyContext,
  send: (reply: Buffer) => void,
  hangUp: () => void = () => {},
): void {
  replyTo(packet, transport, context).then((reply) => (reply === undefined ? hangUp() : send(reply)), context.onError)
}

/** UDP and TCP on one port number; with port 0 the free TCP port may be taken in UDP, so it tries a few. */
async function bindBoth(address: string, port: number, tries = 10): Promise<{ udp: UdpSocket; tcp: TcpServer }> {
  const tcp = createServer()
  tcp.listen(port, address)
  await once(tcp, 'listening')
  const chosen = (tcp.address() as { port: number }).port
  const udp = createSocket(isIPv4(address) ? 'udp4' : 'udp6')
  try {
    udp.bind(chosen, address)
    await once(udp, 'listening')
    return { udp, tcp }
  } catch (error) {
    udp.close()
    tcp.close()
    if (port !== 0 || tries <= 1) throw error
    return bindBoth(address, port, tries - 1)
  }
}

async function close(udp: UdpSocket, tcp: TcpServer): Promise<void> {
  await Promise.all([
    new Promise<void>((resolve) => udp.close(() => resolve())),
    new Promise<void>((resolve) => tcp.close(() => resolve())),
  ])
}

const TCP_CONNECTIONS_MAX = 64
const TCP_IDLE_MS = 5000
