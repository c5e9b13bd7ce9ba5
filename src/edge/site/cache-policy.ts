import { contentTypeOf } from './content-types.ts'

export const IMMUTABLE = 'public, max-age=31536000, immutable'
export const REVALIDATE = 'public, max-age=0, must-revalidate'

/** How long browsers may keep a file without asking: for ever when its name changes with its content. */
export function cacheControlOf(path: string): string {
  if (contentTypeOf(path).startsWith('text/html')) return REVALIDATE
  return CONTENT_ADDRESSED_FOLDER.test(path) || isFingerprinted(path) ? IMMUTABLE : REVALIDATE
}

/**
 * Finds what bundlers put between name and extension: `app.8d3f2a1b.js`, `index-B9x_Q4kZ.css`.
 * A missed fingerprint costs a 304; a wrong one pins a stale file for a year, so doubtful names count as plain:
 * `cafe2024.pdf`, `menu-20241115a.pdf`, `logo-YouTube2.png` and `photo-MyBigDog.jpg` are.
 */
function isFingerprinted(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [, separator, hex] = HEX_HASH.exec(name) ?? []
  if (hex !== undefined) {
    const isLongEnough = separator !== '' || hex.length >= WHOLE_NAME_HEX_MIN
    return isLongEnough && runsOf(hex, HEX_RUNS) >= RUNS_MIN
  }
  const mixed = MIXED_HASH.exec(name)?.[1]
  return mixed !== undefined && isMixed(mixed)
}

/** Years and versions stand at the ends of a name. Between them, words in camel case have no digits, or few runs. */
function isMixed(text: string): boolean {
  const inner = text.replaceAll(/[-_]/g, '').replaceAll(/^\d+|\d+$/g, '')
  return /\d/.test(inner) && /[a-z]/.test(inner) && /[A-Z]/.test(inner) && runsOf(inner, MIXED_RUNS) >= RUNS_MIN
}

const runsOf = (text: string, run: RegExp) => text.match(run)?.length ?? 0

/** Bundlers' folders in which every file is named or placed by content. */
const CONTENT_ADDRESSED_FOLDER = /^(?:_next\/static|_app\/immutable)\//
/** Of hashes of eight characters seven in ten have so many in hex, and half in base64; of longer ones nearly all. */
const RUNS_MIN = 4
const HEX_RUNS = /\d+|\D+/g
/** A word with its capital is one run. */
const MIXED_RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g
/** Shorter ones are words, too: `decade80`. */
const WHOLE_NAME_HEX_MIN = 16
const HEX_HASH = /(^|[.\-_])([0-9a-f]{8,64}|[0-9A-F]{8,64})(?:\.[a-z0-9]{1,12}){1,3}$/
const MIXED_HASH = /[.-]([\w-]{8})(?:\.[a-z0-9]{1,12}){1,3}$/
