/** A map bounded by the total weight of its values: what was used longest ago leaves first. */
export class Lru<Value> {
  readonly #weightMax: number
  readonly #onEvict: (value: Value) => void
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  #weight = 0

  constructor(weightMax: number, onEvict: (value: Value) => void = () => {}) {
    this.#weightMax = weightMax
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  get weight(): number {
    return this.#weight
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** A value heavier than the whole map is not kept. */
  set(key: string, value: Value, weight = 1): void {
    this.delete(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
    this.#onEvict(entry.value)
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
  }
}
