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
  wanted: Ports,
  open: (address: string, port: number) => Promise<Opened>,
): Promise<Opened[]> {
  await using opened = new AsyncDisposableStack()
  const listeners: Opened[] = []
  for (const port of ports) {
    for (const address of wanted.listenOn) {
      try {
        listeners.push(opened.use(await onWhatIsThere(address, (at) => open(at, port))))
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (isWithoutIpv6(wanted.listenOn, address, code)) continue
        throw portRefusal(settingOf(wanted, port), address, port, code) ?? error
      }
    }
  }
  opened.move()
  return listeners
}

/** All addresses are those of IPv4 where the system knows no IPv6. */
async function onWhatIsThere<Opened>(address: string, open: (address: string) => Promise<Opened>): Promise<Opened> {
  try {
    return await open(address)
  } catch (error) {
    if (address !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error
    return open('0.0.0.0')
  }
}

/** A machine without IPv6 is served on IPv4 alone, where that is among the addresses: else nobody would be. */
export const isWithoutIpv6 = (addresses: readonly string[], address: string, code: string) =>
  address === '::1' && addresses.length > 1 && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')

/** The setting that a port comes from. */
function settingOf({ baseUrl, stagingUrl, httpsPort }: Ports, port: number): string {
  const isOf = (url: URL) => url.protocol === 'http:' && portOf(url) === port
  if (port === httpsPort) return 'PETSTORE_HTTPS_PORT'
  if (isOf(baseUrl)) return 'PETSTORE_BASE_URL'
  return isOf(stagingUrl) ? 'PETSTORE_STAGING_URL' : 'PETSTORE_HTTP_PORT'
}

/** Why a port of ours cannot be opened, and what to do about it; undefined for what nobody has met yet. */
export function portTrouble(setting: string, address: string, port: number, code: string): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `${port} is in use by another process. Stop that process, or choose another port with ${setting}.`
    case 'EACCES':
    case 'EPERM':
      return (
        `${port} may not be opened by this user. Choose one above 1023 with ${setting}, or let the user open it, ` +
        'as the files in deploy/ do.'
      )
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `${port} cannot be opened at ${address}, which is no address of this machine: see PETSTORE_LISTEN.`
    default:
      return undefined
  }
}

export function portRefusal(setting: string, address: string, port: number, code: string): StartError | undefined {
  const trouble = portTrouble(setting, address, port, code)
  return trouble === undefined ? undefined : new StartError(`Port ${trouble}`)
}

/** Two services of one user could share their ports as our sockets do, each with some of the other's visitors. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  for (const port of [ports.httpsPort, ...plainPorts(ports)]) {
    for (const address of ports.listenOn) {
      const code = await bindingTrouble(address, port)
      if (code === 'EADDRINUSE' || code === 'EACCES') throw portRefusal(settingOf(ports, port), address, port, code)
    }
  }
}

/**
 * Why a port cannot be opened, as the system calls it; undefined where it can. A connection is made from there, and
 * nothing listens: a visitor who comes in that moment is refused, as before and after. One who was let in could stay,
 * and whoever waits for the port would take the service for ready.
 */
export async function bindingTrouble(address: string, port: number): Promise<string | undefined> {
  try {
    await onWhatIsThere(address, (at) => connectFrom(at, port))
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

async function connectFrom(address: string, port: number): Promise<void> {
  // Both of one family.
  const host = address === '::' ? '::ffff:127.0.0.1' : reachedAt(address)
  const counterpart = createServer((socket) => socket.on('error', () => {}))
  try {
    const target = await listenOn(counterpart, { host, port: 0 })
    if (target === port) return
    const socket = connect({ host, port: target, localAddress: address, localPort: port })
    await once(socket, 'connect')
    // Without the minute in which the system would remember the connection.
    socket.resetAndDestroy()
  } finally {
    counterpart.close()
  }
}

/** Where this machine itself reaches who listens at an address: all of them have IPv4, and few containers have ::1. */
export const reachedAt = (address: string) => (address === '::' || address === '0.0.0.0' ? '127.0.0.1' : address)
