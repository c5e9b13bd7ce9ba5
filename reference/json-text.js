/** @typedef {{ kind: 'key' | 'string' | 'number' | 'literal' | 'mark' | 'space', text: string }} Token */

/** Works on the text of JSON rather than on its values, because a value would round integers beyond 2^53. */
const TOKEN = /("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],:])/g

/** @type {(text: string) => boolean} */
export function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * The tokens of valid JSON text.
 *
 * @type {(text: string) => Token[]}
 */
export function jsonTokens(text) {
  /** @type {Token[]} */
  const tokens = Array.from(text.matchAll(TOKEN), ([whole, string, number, literal]) => {
    if (string !== undefined) return { kind: 'string', text: whole }
    if (number !== undefined) return { kind: 'number', text: whole }
    return { kind: literal === undefined ? 'mark' : 'literal', text: whole }
  })
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1]
    if (token.text === ':' && before !== undefined) before.kind = 'key'
  }
  return tokens
}

/**
 * The same tokens laid out over lines, with the white space as tokens.
 *
 * @type {(tokens: Token[]) => Token[]}
 */
export function layOut(tokens) {
  /** @type {Token[]} */
  const laid = []
  let depth = 0
  const newLine = () => laid.push({ kind: 'space', text: `\n${'  '.repeat(depth)}` })
  for (const [i, token] of tokens.entries()) {
    const isEmpty = '[{'.includes(tokens[i - 1]?.text ?? '?') && ']}'.includes(token.text)
    if (token.kind === 'mark' && ']}'.includes(token.text)) {
      depth -= 1
      if (!isEmpty) newLine()
    }
    laid.push(token)
    const next = tokens[i + 1]
    if (token.kind !== 'mark') continue
    if ('[{'.includes(token.text)) {
      depth += 1
      if (next !== undefined && !']}'.includes(next.text)) newLine()
    } else if (token.text === ',') newLine()
    else if (token.text === ':') laid.push({ kind: 'space', text: ' ' })
  }
  return laid
}

/** @type {(text: string) => string} */
export function formatJson(text) {
  return isJson(text)
    ? layOut(jsonTokens(text))
        .map((token) => token.text)
        .join('')
    : text
}

/**
 * The same value as a TypeScript literal, or null when a number in it would not survive one.
 *
 * @type {(text: string, indent: string) => string | null}
 */
export function typeScriptLiteral(text, indent) {
  const tokens = layOut(jsonTokens(text))
  if (tokens.some((token) => token.kind === 'number' && losesDigits(token.text))) return null
  return tokens
    .map((token) => {
      if (token.kind === 'space') return token.text.replaceAll('\n', `\n${indent}`)
      if (token.kind === 'key') return /^"[A-Za-z_$][\w$]*"$/.test(token.text) ? token.text.slice(1, -1) : token.text
      return token.kind === 'string' ? singleQuoted(JSON.parse(token.text)) : token.text
    })
    .join('')
}

/** @type {(number: string) => boolean} */
const losesDigits = (number) => Number.isInteger(Number(number)) && !Number.isSafeInteger(Number(number))

/** @type {(value: string) => string} */
export function singleQuoted(value) {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
