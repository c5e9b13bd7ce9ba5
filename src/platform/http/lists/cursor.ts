import { hash } from 'node:crypto'
import { invalid } from '../../errors.ts'
import { type Int64, parseInt64 } from '../../int64.ts'
import type { Engine } from '../../storage/tables.ts'
import { inLetters, type QuickHash, quickHash } from '../quick-hash.ts'

/** The last row that was seen. */
export interface Position {
  id: Int64
  /** What it was sorted by, in lists that are not in the order of ids. */
  key?: string | undefined
}

/**
 * Opaque positions in lists: the last id seen, sealed together with what the list was a list of. They work for the same
 * project, environment and filter only.
 */
export interface Cursors {
  make(list: string, position: Position): string
  read(list: string, cursor: string): Position
  /** A part of a cursor, of few characters, that another one does not have. */
  sealOf(cursor: string): string
}

/** One way to write a position so that its list can be told from it. */
interface Seal {
  cursorOf(list: string, position: string): string
  /** What a cursor says, true or not. */
  positionIn(cursor: string): string
  /** Where the seal ends in a cursor. */
  end(cursor: string): number
}

/** Those that are asked for; each tenant has a few, and whoever sends other filters has others. */
const LISTS_KNOWN_MAX = 1000

/**
 * Finds mistakes, not thieves: whoever guesses one has found a place in a list that is open to them anyway. What all
 * positions of a list have in common is hashed once, and an id stands there as it is.
 */
function quickSeal(secret: string, write: typeof inLetters): Seal {
  const known = new Map<string, QuickHash>()

  const beginningOf = (list: string) => {
    let beginning = known.get(list)
    if (!beginning) {
      if (known.size >= LISTS_KNOWN_MAX) known.clear()
      known.set(list, (beginning = quickHash(`${secret}\n${list}`)))
    }
    return beginning
  }

  return {
    cursorOf(list, position) {
      let { one, other } = beginningOf(list)
      for (let at = 0; at < position.length; at++) {
        const code = position.charCodeAt(at)
        one = Math.imul(one ^ code, 0x9e3779b1)
        one ^= one >>> 15
        other = Math.imul(other ^ code, 0x5f356495)
        other ^= other >>> 13
      }
      return `${write(one, other)}__${position.includes(' ') ? inBase64(position) : position}`
    },
    positionIn(cursor) {
      const written = cursor.slice(this.end(cursor))
      return IS_ID.test(written) ? written : fromBase64(written)
    },
    end: (cursor) => cursor.indexOf('__') + 2,
  }
}

/** As versions before this one wrote it. */
const inNumbers = (one: number, other: number) => `${one}_${other}`

/** Of a text that begins with one, base64 begins with a letter. */
const IS_ID = /^-?\d+$/

/** Cut short, a hash that begins with the secret cannot be extended. 12 bytes are a whole number of characters. */
function strongSeal(secret: string): Seal {
  const seal = (list: string, position: string) =>
    hash('sha256', `${secret}\n${list}\n${position}`, 'base64url').slice(0, 16)
  return {
    cursorOf: (list, position) => seal(list, position) + inBase64(position),
    positionIn: (cursor) => fromBase64(cursor.slice(16)),
    end: () => 16,
  }
}

/**
 * OpenSSL takes 5 µs of a list for each seal, and there are two. On PostgreSQL an instance of a version that knows no
 * other seal may stand beside this one, and a round trip hides it.
 */
export function createCursors(secret: string, engine: Engine): Cursors {
  const quick = quickSeal(secret, inLetters)
  const strong = strongSeal(secret)
  const own = engine === 'postgres' ? strong : quick
  const seals = [quick, strong, quickSeal(secret, inNumbers)]

  return {
    make: (list, { id, key }) => own.cursorOf(list, key === undefined ? String(id) : `${id} ${key}`),
    sealOf: (cursor) => cursor.slice(0, own.end(cursor)),
    read(list, cursor) {
      for (const seal of seals) {
        const position = seal.positionIn(cursor)
        const space = position.indexOf(' ')
        const id = parseInt64(space === -1 ? position : position.slice(0, space))
        // The decoder passes over what is no base64; only the one spelling that was given out is taken back.
        if (id !== undefined && seal.cursorOf(list, position) === cursor) {
          return { id, key: space === -1 ? undefined : position.slice(space + 1) }
        }
      }
      throw invalid(
        'cursor is not one that this list gave out: follow the Link header with rel="next", ' +
          'and keep the same filters and key.',
      )
    },
  }
}

const inBase64 = (position: string) => Buffer.from(position).toString('base64url')
const fromBase64 = (written: string) => Buffer.from(written, 'base64url').toString()
