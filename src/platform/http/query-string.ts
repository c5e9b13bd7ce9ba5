import { parse } from 'node:querystring'
import { invalid } from '../errors.ts'

/**
 * The declared parameters of a query string. Unknown ones are ignored; a declared one may stand there once, unless it
 * is `repeatable`.
 */
export function readQuery(url: string, declared: readonly string[]): Record<string, string>
export function readQuery(
  url: string,
  declared: readonly string[],
  repeatable: readonly string[],
): Record<string, string | string[]>
export function readQuery(
  url: string,
  declared: readonly string[],
  repeatable: readonly string[] = [],
): Record<string, string | string[]> {
  const start = url.indexOf('?')
  const read: Record<string, string | string[]> = {}
  if (start === -1) return read
  // Without a bound of its own: the parser's default drops whatever follows the thousandth parameter.
  const given = parse(url.slice(start + 1), '&', '=', { maxKeys: 0 })
  const repeated: string[] = []
  for (const name of declared) {
    const value = given[name]
    // PostgreSQL stores and compares no text with a NUL in it.
    if (value?.includes('\0')) throw invalid(`The query parameter ${name} holds a NUL character: leave it out.`)
    if (typeof value === 'string') read[name] = value
    else if (value !== undefined && repeatable.includes(name)) read[name] = value
    else if (Array.isArray(value)) repeated.push(name)
  }
  if (repeated.length > 0) {
    throw invalid(`The query parameter ${repeated.join(', ')} was given more than once: send it once.`)
  }
  return read
}
