/** The form of keys and tokens, as `src/features/keys/format.ts` mints them: a test holds the two together. */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6

/** Whose key it visibly is. */
const KINDS = /** @type {const} */ ({ ps_live_: 'Production', ps_test_: 'Staging', ps_pat_: 'token' })

/**
 * A sentence on what is wrong with a key or token that can be told without sending it, or null.
 * `isFinal` says that it can never work; a key of the other environment can, at the other address.
 *
 * @typedef {{ sentence: string, isFinal: boolean }} KeyProblem
 * @type {(text: string, wanted: { noun: string, serverLabel: string }) => KeyProblem | null}
 */
export function keyProblem(text, { noun, serverLabel }) {
  if (text === '') return null
  const [prefix = ''] = /^ps_(?:live|test|pat)_/.exec(text) ?? []
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (prefix)]
  const begins = noun === 'token' ? 'ps_pat_' : 'ps_live_ or ps_test_'
  if (kind === undefined)
    return { sentence: `This is no ${noun} of Petstore: one begins with ${begins}.`, isFinal: true }
  if ((kind === 'token') !== (noun === 'token')) {
    const other = noun === 'token' ? 'an API key of the animals interface' : 'a token of the management interface'
    return { sentence: `This is ${other}: here a ${noun} is needed, which begins with ${begins}.`, isFinal: true }
  }
  const length = prefix.length + 32 + CHECKSUM_LENGTH
  if (text.length !== length || !/^\w+$/.test(text)) {
    const sentence = `This ${noun} has ${text.length} characters, and should have ${length}: copy it again, whole.`
    return { sentence, isFinal: true }
  }
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) {
    return {
      sentence: `This ${noun} has a typing error: its end does not fit its beginning. Copy it again.`,
      isFinal: true,
    }
  }
  if (kind === 'token' || kind.toLowerCase() === serverLabel.toLowerCase()) return null
  return { sentence: `This is a key of ${kind}: ${serverLabel} will answer 401.`, isFinal: false }
}

/** @type {(body: string) => string} */
function checksum(body) {
  let text = ''
  for (let rest = crc32(body); text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62))
    text = BASE62[rest % 62] + text
  return text
}

/** @type {(ascii: string) => number} */
function crc32(ascii) {
  let crc = ~0
  for (let at = 0; at < ascii.length; at++) {
    crc ^= ascii.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
