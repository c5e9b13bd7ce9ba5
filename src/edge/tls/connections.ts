import type { Socket } from 'node:net'

interface Connection {
  readonly late: NodeJS.Timeout
  host: string | undefined
}

/** The open connections of a listener: which are late with their handshake, and which belong to a host. */
export class Connections {
  readonly #handshakeTimeoutMs: number
  readonly #open = new Map<Socket, Connection>()
  readonly #hosts = new Map<string, Set<Socket>>()

  /** `handshakeTimeoutMs` is from the first packet to the end of the handshake. */
  constructor({ handshakeTimeoutMs }: { handshakeTimeoutMs: number }) {
    this.#handshakeTimeoutMs = handshakeTimeoutMs
  }

  get size(): number {
    return this.#open.size
  }

  /** Takes a connection in until it closes; ends it when the time is up. */
  add(socket: Socket): void {
    const late = setTimeout(() => socket.destroy(), this.#handshakeTimeoutMs)
    this.#open.set(socket, { late, host: undefined })
    socket.on('close', () => this.#release(socket))
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

  /** Whoever is connected under a name, or below a wildcard. */
  hostsOf(name: string): string[] {
    if (!name.startsWith('*.')) return this.#hosts.has(name) ? [name] : []
    return [...this.#hosts.keys()].filter((host) => host.endsWith(name.slice(1)))
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #release(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { late, host } = connection
    clearTimeout(late)
    this.#open.delete(socket)
    if (host === undefined) return
    const sockets = this.#hosts.get(host)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#hosts.delete(host)
  }
}
