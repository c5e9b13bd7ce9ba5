import type { BlockList, Socket } from 'node:net'
import { isAmong, networkOf } from '../platform/network.ts'
import { receiveProxyHeader } from './proxy-protocol.ts'

interface ConnectionGateOptions {
  /** Networks whose PROXY header is believed. */
  trustedProxies?: BlockList | undefined
  /** Per IPv4 address or IPv6 /64, over all ports. */
  perNetworkMax?: number
  proxyHeaderTimeoutMs?: number
}

const PER_NETWORK_MAX = 1_000
const PROXY_HEADER_TIMEOUT_MS = 10_000

/**
 * Where every connection of every port comes in: it learns who the client is, and ends what is more than one network
 * may hold. A proxy that is trusted, and names no client here, speaks for many and holds as many as it needs.
 */
export class ConnectionGate {
  readonly #options: Required<ConnectionGateOptions>
  readonly #held = new Map<string, number>()

  constructor(options: ConnectionGateOptions = {}) {
    this.#options = {
      trustedProxies: undefined,
      perNetworkMax: PER_NETWORK_MAX,
      proxyHeaderTimeoutMs: PROXY_HEADER_TIMEOUT_MS,
      ...options,
    }
  }

  /** How many connections are counted now. */
  get size(): number {
    return this.#held.values().reduce((sum, held) => sum + held, 0)
  }

  /** Calls back, at once where nothing has to be read first, with a connection that may be served. */
  admit(socket: Socket, serve: () => void): void {
    const { trustedProxies, proxyHeaderTimeoutMs } = this.#options
    if (trustedProxies === undefined || !isAmong(trustedProxies, socket.remoteAddress))
      return this.#count(socket, serve)
    socket.on('error', ignore)
    receiveProxyHeader(socket, proxyHeaderTimeoutMs, (source) => {
      if (source === undefined) return serve()
      setRemoteAddress(socket, source)
      if (isAmong(trustedProxies, source)) serve()
      else this.#count(socket, serve)
    })
  }

  #count(socket: Socket, serve: () => void): void {
    const network = networkOf(socket.remoteAddress)
    const held = this.#held.get(network) ?? 0
    if (held >= this.#options.perNetworkMax) return void socket.destroy()
    this.#held.set(network, held + 1)
    socket.on('close', () => {
      const left = (this.#held.get(network) ?? 0) - 1
      if (left > 0) this.#held.set(network, left)
      else this.#held.delete(network)
    })
    serve()
  }
}

/** From here on everybody who asks the socket hears of the client instead of the proxy. */
export function setRemoteAddress(socket: Socket, address: string | undefined): void {
  if (socket.remoteAddress !== address) Object.defineProperty(socket, 'remoteAddress', { value: address })
}

/** A socket that fails is destroyed by Node; nobody else is concerned. */
const ignore = () => {}
