import * as fc from 'fast-check'

const LAST = 0x10ffff
/** Halves of characters lie here, which are none by themselves. */
const HALVES = { first: 0xd800, count: 0x800 }

/**
 * What fast-check calls the unit 'binary', with the same characters as often. Its own lists all 1.1 million of them
 * before the first text is made: a second or two of a processor, and 85 MB that are looked through ever after.
 */
export const anyCharacter = fc.integer({ min: 0, max: LAST - HALVES.count }).map(
  (index) => String.fromCodePoint(index < HALVES.first ? index : index + HALVES.count),
  // By this it finds out which texts it may mix in that are known for trouble, such as __proto__.
  (character) => {
    const code = [...String(character)].length === 1 ? String(character).codePointAt(0)! : LAST + 1
    if (code > LAST || (code >= HALVES.first && code < HALVES.first + HALVES.count)) throw new Error('no character')
    return code < HALVES.first ? code : code - HALVES.count
  },
)
