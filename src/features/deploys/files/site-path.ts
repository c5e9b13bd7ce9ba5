import { invalid } from '../../../platform/errors.ts'
import { beginningOf } from '../../../platform/schema.ts'

/**
 * The one rule for the path of a file in a site: relative, NFC, segments joined by `/`, no tricks.
 * Archives and manifests both pass through here, so that whatever is stored can be served as it is written.
 */
const SITE_PATH_BYTES_MAX = 1024
const SITE_PATH_SEGMENT_BYTES_MAX = 255

/** The path in the form in which it is stored and served. Refuses, naming the path, what no site may hold. */
export function parseSitePath(raw: string): string {
  const problem = sitePathProblem(raw)
  if (problem !== undefined) throw invalid(`The file ${quotedPath(raw)} ${problem}`)
  return raw.normalize('NFC')
}

/** What is wrong with a path, as the end of a sentence that starts with its name, or undefined. */
export function sitePathProblem(raw: string): string | undefined {
  if (raw === '') return 'has an empty name. Give it a name.'
  if (!raw.isWellFormed() || raw.includes(REPLACEMENT_CHARACTER)) {
    return 'has a name that is not valid UTF-8. Rename it, or make the archive with a tool that writes UTF-8 names.'
  }
  // Composing can make a drive letter out of the Kelvin sign: every further look is at the composed form.
  const path = raw.normalize('NFC')
  if (FORBIDDEN_CHARACTERS.test(path)) {
    return 'has a control character or an invisible direction mark in its name. Rename it without that character.'
  }
  if (path.includes('\\')) return 'has a backslash in its name. Write folders with "/".'
  if (path.startsWith('/')) return 'has an absolute path. Make it relative to the folder of the site.'
  if (/^[A-Za-z]:/.test(path)) return 'starts with a drive letter. Make it relative to the folder of the site.'
  if (Buffer.byteLength(path) > SITE_PATH_BYTES_MAX) {
    return `has a path longer than ${SITE_PATH_BYTES_MAX} bytes. Shorten it or put it in fewer folders.`
  }
  for (const segment of path.split('/')) {
    if (segment === '') return 'has an empty name in its path ("//" or a final "/"). Remove the extra "/".'
    if (segment === '.' || segment === '..') {
      return `has a "${segment}" in its path. Name every file by its place below the folder of the site.`
    }
    if (Buffer.byteLength(segment) > SITE_PATH_SEGMENT_BYTES_MAX) {
      return `has a folder or file name longer than ${SITE_PATH_SEGMENT_BYTES_MAX} bytes. Shorten it.`
    }
  }
  if (`${caseFolded(path)}/`.startsWith(ACME_CHALLENGE_FOLDED)) {
    return 'lies in /.well-known/acme-challenge/, which the platform answers itself to obtain certificates. Remove it.'
  }
  return undefined
}

/**
 * The first two paths that would be one file, or a file and a folder, on a file system that ignores case and Unicode
 * form. A path that ends in `/` stands for a folder. Sorting with the separator below every other character puts
 * everything below `a/` right behind `a`: comparing neighbours is enough, however deep the paths are.
 */
export function findCollision(paths: Iterable<string>): [string, string] | undefined {
  const keyed = Array.from(paths, (path) => ({ path, key: caseFolded(path).replaceAll('/', SEPARATOR_KEY) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  for (let i = 1; i < keyed.length; i += 1) {
    const [before, after] = [keyed[i - 1]!, keyed[i]!]
    if (before.key.endsWith(SEPARATOR_KEY)) continue
    if (after.key === before.key || after.key.startsWith(before.key + SEPARATOR_KEY)) return [before.path, after.path]
  }
  return undefined
}

export function refuseCollisions(paths: Iterable<string>): void {
  const collision = findCollision(paths)
  if (collision === undefined) return
  const [one, other] = collision.map(quotedPath)
  throw invalid(
    one === other
      ? `The file ${one} is there twice. Keep one of the two.`
      : `The names ${one} and ${other} differ only in case or Unicode form, or one is a file where the other needs a ` +
          'folder. Rename one of them.',
  )
}

/** A path as it can be shown in a message: quoted, escaped, and no longer than a line. */
export function quotedPath(raw: string): string {
  // Not all of its characters, which may be millions. Where the last hundred places begin with half of one, it is cut.
  const enough = raw.slice(-100)
  const end = [...enough].slice(-50).join('')
  const shown = beginningOf(raw, 160) === raw ? raw : `${beginningOf(raw, 100)}…${end}`
  return JSON.stringify(shown.toWellFormed()).replace(
    INVISIBLE_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Lower before upper case, because only then ẞ and ß meet; composed again, because İ and i̇ then meet. */
const caseFolded = (path: string) =>
  ASCII.test(path) ? path.toUpperCase() : path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')

/** Most paths, for which the rest changes nothing and takes ten times as long. */
const ASCII = /^[\x20-\x7E]*$/

const REPLACEMENT_CHARACTER = '\uFFFD'
/** Control characters, line and paragraph separators, and the marks that let a name read backwards. */
const FORBIDDEN_CHARACTERS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u
const INVISIBLE_CHARACTERS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu
/** Control characters are refused, so none of them can be part of a path that is compared. */
const SEPARATOR_KEY = '\u0001'
const ACME_CHALLENGE_FOLDED = caseFolded('.well-known/acme-challenge/')
