const UNSEEN = /[\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]/g

/**
 * A document as JSON in which what cannot be seen is written as an escape: a pattern may have control characters and
 * unusual spaces in it, which people could not read, and which tools that take JSON for YAML refuse.
 */
export const documentJson = (document: object, indent?: number): string =>
  JSON.stringify(document, undefined, indent).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
