import { hash } from 'node:crypto'
import type { Row } from './rows.ts'
import type { ColumnKind, TableShape } from './shapes.ts'

const MODULUS = 1n << 256n

/** A hash of the rows of a table. It is a sum, and so does not ask for an order: the engines sort text differently. */
export class Fingerprint {
  readonly #shape: TableShape
  #sum = 0n
  #rows = 0

  constructor(shape: TableShape) {
    this.#shape = shape
  }

  get rows(): number {
    return this.#rows
  }

  add(row: Row): void {
    const values = this.#shape.columns.map(({ name, kind }) => plain(row[name], kind))
    this.#sum = (this.#sum + BigInt(`0x${hash('sha256', JSON.stringify(values))}`)) % MODULUS
    this.#rows++
  }

  digest(): string {
    return hash('sha256', `${this.#shape.name} ${this.#rows} ${this.#sum}`)
  }
}

/** The same text on both engines. */
function plain(value: unknown, kind: ColumnKind): string | null {
  if (value === null) return null
  if (kind === 'bytes') return hash('sha256', value as Uint8Array)
  return String(kind === 'boolean' ? Number(value) : value)
}
