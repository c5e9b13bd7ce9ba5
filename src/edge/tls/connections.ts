import { isIPv4, type Socket } from 'node:net'

interface Connection {
  readonly network: string
  readonly late: NodeJS.Timeout
  host: string | undefined
}

interface ConnectionLimits {
  /** Per IPv4 address or IPv6 /64. */
  perNetworkMax: number
  /** From the first packet to the end of the handshake. */
  handshakeTimeoutMs: number
}

/** The open connections of a listener: how many each network holds, which are late, and which belong to a host. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, Connection>()
  readonly #networks = new Map<string, number>()
  readonly #hosts = new Map<string, Set<Socket>>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#open.size
  }

  get networks(): number {
    return this.#networks.size
  }

  /** Takes a connection in until it closes; ends it when its network holds as many as it may, or the time is up. */
  admit(socket: Socket): boolean {
    const network = networkOf(socket.remoteAddress ?? '')
    const held = this.#networks.get(network) ?? 0
    if (held >= this.#limits.perNetworkMax) {
      socket.destroy()
      return false
    }
    this.#networks.set(network, held + 1)
    const late = setTimeout(() => socket.destroy(), this.#limits.handshakeTimeoutMs)
    this.#open.set(socket, { network, late, host: undefined })
    socket.on('close', () => this.#release(socket))
    return true
  }

  /** The handshake is done: from now on this is a connection of the host. */
  establish(socket: Socket, host: string): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    clearTimeout(connection.late)
    connection.host = host
    const sockets = this.#hosts.get(host)
    if (sockets === undefined) this.#hosts.set(host, new Set([socket]))
    else sockets.add(socket)
  }

  /** Ends every connection of a host and says how many there were. */
  close(host: string): number {
    const sockets = [...(this.#hosts.get(host) ?? [])]
    for (const socket of sockets) socket.destroy()
    return sockets.length
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #release(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { network, late, host } = connection
    clearTimeout(late)
    this.#open.delete(socket)
    const held = this.#networks.get(network) ?? 0
    if (held > 1) this.#networks.set(network, held - 1)
    else this.#networks.delete(network)
    if (host === undefined) return
    const sockets = this.#hosts.get(host)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#hosts.delete(host)
  }
}

/** One customer of a provider: an IPv4 address, or the /64 that IPv6 hands out at least. */
export function networkOf(address: string): string {
  const mapped = address.slice(address.lastIndexOf(':') + 1)
  if (isIPv4(mapped)) return mapped
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = before === '' ? [] : before.split(':')
  if (after !== undefined) {
    const tail = after === '' ? [] : after.split(':')
    while (groups.length + tail.length < IPV6_GROUPS) groups.push('0')
    groups.push(...tail)
  }
  return groups.slice(0, NETWORK_GROUPS).join(':')
}

const IPV6_GROUPS = 8
const NETWORK_GROUPS = 4
