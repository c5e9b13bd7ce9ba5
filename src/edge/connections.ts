import { isIPv4 } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The open connections of a listener: how many each network holds, and which belong to a host. */
export class Connections {
  readonly #perNetworkMax: number
  readonly #networks = new Map<string, number>()
  readonly #hosts = new Map<string, Set<TLSSocket>>()

  constructor(perNetworkMax: number) {
    this.#perNetworkMax = perNetworkMax
  }

  get networks(): number {
    return this.#networks.size
  }

  /** Takes a place for a connection from this address; false when its network holds as many as it may. */
  enter(address: string): boolean {
    const network = networkOf(address)
    const held = this.#networks.get(network) ?? 0
    if (held >= this.#perNetworkMax) return false
    this.#networks.set(network, held + 1)
    return true
  }

  leave(address: string): void {
    const network = networkOf(address)
    const held = this.#networks.get(network) ?? 0
    if (held > 1) this.#networks.set(network, held - 1)
    else this.#networks.delete(network)
  }

  add(host: string, socket: TLSSocket): void {
    const sockets = this.#hosts.get(host) ?? new Set()
    sockets.add(socket)
    this.#hosts.set(host, sockets)
  }

  remove(host: string, socket: TLSSocket): void {
    const sockets = this.#hosts.get(host)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#hosts.delete(host)
  }

  /** Ends every connection that was opened for a host and says how many there were. */
  close(host: string): number {
    const sockets = [...(this.#hosts.get(host) ?? [])]
    for (const socket of sockets) socket.destroy()
    return sockets.length
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
