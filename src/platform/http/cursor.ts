import { hash } from 'node:crypto'
import { invalid } from '../errors.ts'
import { type Int64, parseInt64 } from '../int64.ts'
import type { Engine } from '../storage/tables.ts'
import { quickHash } from './etag.ts'

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

interface Seal {
  of(text: string): string
  /** Where it ends in a cursor. */
  end(cursor: string): number
}

/** Finds mistakes, not thieves: whoever guesses one has found a place in a list that is open to them anyway. */
const quick: Seal = { of: (text) => `${quickHash(text)}__`, end: (cursor) => cursor.indexOf('__') + 2 }

/** Cut short, a hash that begins with the secret cannot be extended. 12 bytes are a whole number of characters. */
const strong: Seal = { of: (text) => hash('sha256', text, 'base64url').slice(0, 16), end: () => 16 }

/**
 * OpenSSL takes 5 µs of a list for each seal, and there are two. On PostgreSQL an instance of a version that knows no
 * other seal may stand beside this one, and a round trip hides it.
 */
const sealOn = { sqlite: quick, postgres: strong } as const

export function createCursors(secret: string, engine: Engine): Cursors {
  const own = sealOn[engine]
  const sealed = (seal: Seal, list: string, position: string) =>
    seal.of(`${secret}\n${list}\n${position}`) + encoded(position)

  return {
    make: (list, { id, key }) => sealed(own, list, key === undefined ? String(id) : `${id} ${key}`),
    sealOf: (cursor) => cursor.slice(0, own.end(cursor)),
    read(list, cursor) {
      for (const seal of [own, own === quick ? strong : quick]) {
        const position = decoded(cursor.slice(seal.end(cursor)))
        const space = position.indexOf(' ')
        const id = parseInt64(space === -1 ? position : position.slice(0, space))
        // The decoder passes over what is no base64; only the one spelling that was given out is taken back.
        if (id !== undefined && sealed(seal, list, position) === cursor) {
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

/**
 * In base64url. Most positions are an id alone: of digits base64 has none of the characters in which the two differ,
 * and the functions of browsers take a third of the time that a buffer takes.
 */
function encoded(position: string): string {
  if (position.includes(' ')) return Buffer.from(position).toString('base64url')
  return btoa(position).slice(0, Math.ceil((position.length * 4) / 3))
}

function decoded(base64url: string): string {
  try {
    const id = atob(base64url)
    if (!id.includes(' ')) return id
  } catch {
    // With characters that only base64url has.
  }
  return Buffer.from(base64url, 'base64url').toString()
}
