import { integerFromJsonSource, exactNumber, isInt64 } from '../int64.ts'
import { invalid } from '../errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Without these, every number of the text is an integer that a double holds exactly. */
const NEEDS_EXACT_NUMBERS = /\d{16}|\d[.eE]/

/**
 * Parses a JSON body without losing a digit: integers beyond 2^53 become bigints, and a number that only
 * rounds to an integer (`1.00000000000000000001`) becomes NaN, which no schema takes for an integer.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('The request body is not valid UTF-8.')
  }
  try {
    return NEEDS_EXACT_NUMBERS.test(text) ? JSON.parse(text, exactNumbers) : JSON.parse(text)
  } catch (error) {
    // A nesting deeper than the parser's stack is a RangeError, everything else a SyntaxError.
    const where = error instanceof SyntaxError ? error.message : 'it is nested too deeply'
    throw invalid(`The request body is not valid JSON: ${where}.`)
  }
}

function exactNumbers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const integer = integerFromJsonSource(context.source)
  if (integer === undefined) return Number.isInteger(value) ? Number.NaN : value
  return isInt64(integer) ? exactNumber(integer) : integer
}
