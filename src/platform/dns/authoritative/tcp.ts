import { createServer, type Server, type Socket } from 'node:net'
import { networkOf } from '../../network.ts'
import { withLength } from '../transport.ts'
import type { Respond } from './respond.ts'

export interface TcpLimits {
  /** In all, and of one network: an IPv4 address or a /64. */
  connectionsMax?: number
  perNetworkMax?: number
  idleMs?: number
  /** However busy it is. */
  lifeMs?: number
}

/** Questions one behind the other on a connection, answered in their order; few connections, and none for long. */
export function serveTcp(respond: Respond, limits: TcpLimits = {}): { server: Server; end(): void } {
  const { connectionsMax = 256, perNetworkMax = 16, idleMs = 5_000, lifeMs = 60_000 } = limits
  const held = new Map<string, number>()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const network = networkOf(socket.remoteAddress)
    const count = (held.get(network) ?? 0) + 1
    if (count > perNetworkMax) return void socket.destroy()
    held.set(network, count)
    open.add(socket)
    const life = setTimeout(() => socket.destroy(), lifeMs)
    socket.on('close', () => {
      clearTimeout(life)
      open.delete(socket)
      const left = (held.get(network) ?? 1) - 1
      if (left > 0) held.set(network, left)
      else held.delete(network)
    })
    socket.on('error', () => socket.destroy())
    socket.setTimeout(idleMs, () => socket.destroy())
    void answerInTurn(socket, respond)
  })
  server.maxConnections = connectionsMax
  return { server, end: () => open.forEach((socket) => socket.destroy()) }
}

/** The next question is read when the last one is answered and sent: whoever does not read is not read from. */
async function answerInTurn(socket: Socket, respond: Respond): Promise<void> {
  let received: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      while (received.length >= 2) {
        const end = 2 + received.readUInt16BE(0)
        if (end > 2 + QUESTION_BYTES_MAX) return
        if (received.length < end) break
        const reply = await respond(received.subarray(2, end), 'tcp')
        if (reply === undefined) return
        received = received.subarray(end)
        if (!socket.write(withLength(reply))) await new Promise((resolve) => socket.once('drain', resolve))
      }
    }
  } catch {
    // The connection broke: nobody is left to answer.
  } finally {
    socket.destroy()
  }
}

/** A name, an OPT record with every option that anybody sends, and a signature. */
const QUESTION_BYTES_MAX = 2048
