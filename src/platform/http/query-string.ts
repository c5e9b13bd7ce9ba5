import { parse } from 'node:querystring'
import { invalid } from '../errors.ts'
import { type Int64, parseInt64 } from '../int64.ts'
import type { ObjectSchema, Schema } from '../schema.ts'
import { validator } from './validator.ts'

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

/** Reads the parameters that a schema declares: of its types, or refused. */
export function queryReader<Query>(schema: ObjectSchema<Query>): (url: string) => Query {
  const declared = Object.keys(schema.properties)
  const lists = declared.filter((name) => schema.properties[name]?.type === 'array')
  const validate = validator(schema, 'The query is not valid')
  return (url) => {
    const given: Record<string, unknown> = readQuery(url, declared, lists)
    for (const name in given) given[name] = asTyped(schema.properties[name] as Schema, given[name] as string | string[])
    return validate(given)
  }
}

function asTyped({ type, items }: Schema, given: string | string[]): unknown {
  if (type === 'array') return [given].flat().map((one) => asTyped(items as Schema, one))
  if (type === 'integer') return asInteger(given as string)
  if (type === 'boolean') return given === 'true' ? true : given === 'false' ? false : given
  return given
}

/** What is none stays text, which the schema refuses. */
const asInteger = (text: string): Int64 | string =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : (parseInt64(text) ?? text)
