/** Bytes that somebody has asked for and has not taken. */
export interface Held {
  readonly bytes: Uint8Array
  /** Ends whoever is at them, and lets go of them at once. */
  cut(): void
}

interface Holder {
  bytes: number
  /** The longest held first. */
  readonly held: Set<Held>
}

/**
 * What visitors have not taken yet, beyond what is kept for everybody. One who stops reading holds a slice for each of
 * their requests, a hundred on a connection of HTTP/2, for as long as they like: when all hold too much together, the
 * network that holds most loses what it has held for longest.
 */
export class Unsent {
  readonly #bytesMax: number
  readonly #holders = new Map<string, Holder>()
  readonly #networks = new Map<Held, string>()
  #bytes = 0

  constructor(bytesMax = 128 * 1024 * 1024) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Counted once, for the network that has asked first, however many have asked for the same. */
  add(held: Held, network: string): void {
    if (this.#networks.has(held)) return
    this.#networks.set(held, network)
    const holder = this.#holders.getOrInsertComputed(network, () => ({ bytes: 0, held: new Set<Held>() }))
    holder.held.add(held)
    holder.bytes += held.bytes.length
    this.#bytes += held.bytes.length
    while (this.#bytes > this.#bytesMax) this.#cutOne()
  }

  remove(held: Held): void {
    const network = this.#networks.get(held)
    const holder = network === undefined ? undefined : this.#holders.get(network)
    if (network === undefined || holder === undefined) return
    this.#networks.delete(held)
    holder.held.delete(held)
    holder.bytes -= held.bytes.length
    this.#bytes -= held.bytes.length
    if (holder.held.size === 0) this.#holders.delete(network)
  }

  #cutOne(): void {
    const most = this.#holders.values().reduce((one, other) => (other.bytes > one.bytes ? other : one))
    const [oldest] = most.held
    oldest?.cut()
  }
}
