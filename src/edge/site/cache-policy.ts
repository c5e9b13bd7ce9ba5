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
 * `report.20241115.pdf`, `Roboto-Regular2.woff2` and `photo-Image001.jpg` are.
 */
function isFingerprinted(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const hex = HEX_HASH.exec(name)?.[1]
  if (hex !== undefined) return /\d/.test(hex) && /[a-f]/i.test(hex)
  const mixed = MIXED_HASH.exec(name)?.[1]
  return mixed !== undefined && classChanges(mixed.replaceAll(/[-_]/g, '')) >= CLASS_CHANGES_MIN
}

/** Words change between capitals, small letters and digits up to three times (`iPhone14`), random text more often. */
function classChanges(text: string): number {
  let changes = 0
  for (let at = 1; at < text.length; at++) if (characterClass(text[at]!) !== characterClass(text[at - 1]!)) changes++
  return changes
}

const characterClass = (character: string) => (/\d/.test(character) ? 0 : /[a-z]/.test(character) ? 1 : 2)

/** Bundlers' folders in which every file is named or placed by content. */
const CONTENT_ADDRESSED_FOLDER = /^(?:_next\/static|_app\/immutable)\//
const CLASS_CHANGES_MIN = 4
const HEX_HASH = /(?:^|[.\-_])([0-9a-f]{8,64}|[0-9A-F]{8,64})(?:\.[a-z0-9]{1,12}){1,3}$/
const MIXED_HASH = /[.-]([\w-]{8})(?:\.[a-z0-9]{1,12}){1,3}$/
