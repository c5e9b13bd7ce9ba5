const KEPT_MAX = 32

/** Nonces that the CA gave with its answers. Each is handed out once; the newest first, as old ones expire. */
export class NoncePool {
  #nonces: string[] = []

  take(): string | undefined {
    return this.#nonces.pop()
  }

  put(nonce: string): void {
    if (!/^[A-Za-z0-9_-]{1,512}$/.test(nonce)) return
    this.#nonces.push(nonce)
    if (this.#nonces.length > KEPT_MAX) this.#nonces.shift()
  }

  /** After a refusal: the one that came with it is good, while older ones may be of a CA that has restarted. */
  keepNewest(): void {
    this.#nonces = this.#nonces.slice(-1)
  }
}
