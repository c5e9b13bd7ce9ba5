import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type ListenOptions, type Server } from 'node:net'
import { portOf } from '../platform/port-of.ts'
import { StartError } from '../platform/start-error.ts'

/** Where the operator wants the service to listen. */
export interface Ports {
  baseUrl: URL
  stagingUrl: URL
  listenOn: readonly string[]
  /** A plain port beside those of the two addresses. */
  httpPort: number | undefined
  httpsPort: number
}

/** Each distinct port of the two addresses without TLS, and the one beside them. */
export function plainPorts({ baseUrl, stagingUrl, httpPort }: Ports): number[] {
  const ports = [baseUrl, stagingUrl].filter((url) => url.protocol === 'http:').map(portOf)
  return [...new Set(httpPort === undefined ? ports : [...ports, httpPort])]
}

/**
 * libuv accepts one connection of a socket in a turn, and a turn serves everybody who is connected: behind a thousand
 * busy ones a crowd was let in one by one, eleven in a second. So a port has several sockets, where the kernel gives
 * each its part of the connections.
 */
export const SOCKETS = process.platform === 'linux' ? 8 : 1

/** A port that is open. */
export interface Entrance {
  readonly address: string
  readonly port: number
  /** What listens there. The server is the last of them, and is told of every connection, whichever it came to. */
  readonly sockets: readonly Server[]
}

/** Other workers may have the same port open; whoever starts them knows that nobody else has (`requireFreePorts`). */
export async function bind(server: Server, address: string, port: number): Promise<Entrance> {
  const reusePort = SOCKETS > 1
  const chosen = await listenOn(server, { host: address, port, reusePort })
  // As servers of HTTP open theirs.
  const open = () => createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  const others = Array.from({ length: SOCKETS - 1 }, open)
  const sockets = [...others, server]
  try {
    for (const socket of others) await listenOn(socket, { host: address, port: chosen, reusePort })
  } catch (error) {
    for (const socket of sockets) socket.close()
    throw error
  }
  return { address, port: chosen, sockets }
}

function listenOn(socket: Server, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.listen(options, () => {
      socket.off('error', reject)
      resolve((socket.address() as AddressInfo).port)
    })
  })
}

export async function openAll<Opened extends AsyncDisposable>(
  ports: readonly number[],
  addresses: readonly string[],
  open: (address: string, port: number) => Promise<Opened>,
): Promise<Opened[]> {
  await using opened = new AsyncDisposableStack()
  const listeners: Opened[] = []
  for (const port of ports) {
    for (const address of addresses) {
      try {
        listeners.push(opened.use(await open(address, port)))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // A machine without IPv6 is served on IPv4 alone.
        if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
        throw code === 'EADDRINUSE' || code === 'EACCES' ? portTaken(port, code) : error
      }
    }
  }
  opened.move()
  return listeners
}

function portTaken(port: number, code: string): StartError {
  const why = code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process'
  return new StartError(
    `Port ${port} ${why}. Stop that process, or choose other ports with PETSTORE_BASE_URL, PETSTORE_STAGING_URL ` +
      'and PETSTORE_HTTPS_PORT.',
  )
}

/** Two services of one user could share their ports as our sockets do, each with some of the other's visitors. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  for (const port of [ports.httpsPort, ...plainPorts(ports)]) {
    for (const address of ports.listenOn) {
      const trouble = await bindingTrouble(address, port)
      if (trouble === 'EADDRINUSE' || trouble === 'EACCES') throw portTaken(port, trouble)
    }
  }
}

/**
 * Why a port cannot be opened, as the system calls it; undefined where it can. A connection is made from there, and
 * nothing listens: a visitor who comes in that moment is refused, as before and after. One who was let in could stay,
 * and whoever waits for the port would take the service for ready.
 */
export async function bindingTrouble(address: string, port: number): Promise<string | undefined> {
  const host = LOOPBACKS.get(address) ?? address
  const counterpart = createServer((socket) => socket.on('error', () => {}))
  try {
    const target = await listenOn(counterpart, { host, port: 0 })
    if (target === port) return undefined
    const socket = connect({ host, port: target, localAddress: address, localPort: port })
    await once(socket, 'connect')
    // Without the minute in which the system would remember the connection.
    socket.resetAndDestroy()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    counterpart.close()
  }
}

/** All addresses of a machine are none that a connection can be made to, and ::1 is missing in most containers. */
const LOOPBACKS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::ffff:127.0.0.1'],
])
