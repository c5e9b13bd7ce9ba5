/**
 * @import { InlineSchema } from '../src/platform/schema.ts'
 * @import { Resolve, Schema } from './document.js'
 */
import { refName } from './document.js'

/**
 * What a value can be besides null: the schema itself, or each of its alternatives.
 *
 * @type {(schema: Schema, resolve: Resolve) => Schema[]}
 */
export function alternatives(schema, resolve) {
  const { anyOf } = resolve(schema)
  return anyOf === undefined ? [schema] : anyOf.filter((one) => resolve(one).type !== 'null')
}

/** @type {(schema: InlineSchema) => boolean} */
export const isInteger = ({ type }) => [type].flat().includes('integer')

/**
 * What a schema says, in the words that the page shows.
 *
 * @type {(schema: Schema, resolve: Resolve) => string}
 */
export function typeName(schema, resolve) {
  const { type, items, format, anyOf, const: only, additionalProperties } = resolve(schema)
  /** @type {(one: Schema) => string} */
  const named = (one) => refName(one) ?? typeName(one, resolve)
  if (anyOf !== undefined) return anyOf.map(named).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (items !== undefined) return `array of ${named(items)}`
  if (additionalProperties !== undefined) return `object of ${named(additionalProperties)}`
  const types = [type ?? 'any value'].flat().join(' or ')
  return format === undefined ? types : `${types} · ${format}`
}

/**
 * The bounds of a value, each as a short phrase.
 *
 * @type {(schema: Schema, resolve: Resolve) => string[]}
 */
export function constraints(schema, resolve) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, ...rest } = resolve(schema)
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern === undefined ? null : `matches ${spelled(pattern)}`,
    rest.default === undefined ? null : `default ${JSON.stringify(rest.default)}`,
  ].filter((phrase) => phrase !== null)
}

/** @type {(low: number | undefined, high: number | undefined, unit: string) => string | null} */
function range(low, high, unit) {
  if (low === undefined && high === undefined) return null
  if (low === undefined) return `at most ${high}${unit}`
  if (high === undefined) return `at least ${low}${unit}`
  return `${low} – ${high}${unit}`
}

/**
 * The values that a text, or the items of a list, can have.
 *
 * @type {(schema: Schema, resolve: Resolve) => string[]}
 */
export function enumValues(schema, resolve) {
  const { enum: values, items } = resolve(schema)
  const known = values ?? (items === undefined ? [] : (resolve(items).enum ?? []))
  return known.filter((value) => value !== null).map(String)
}

/**
 * A value that fits the schema: its own example where it has one.
 *
 * @type {(schema: Schema, resolve: Resolve, depth?: number) => unknown}
 */
export function exampleOf(schema, resolve, depth = 0) {
  const resolved = resolve(alternatives(schema, resolve)[0] ?? schema)
  const given = resolved.examples?.[0] ?? resolved.default ?? resolved.const ?? resolved.enum?.[0]
  if (given !== undefined || depth > 6) return given ?? null
  if (resolved.items !== undefined) return [exampleOf(resolved.items, resolve, depth + 1)]
  const [type] = [resolved.type].flat()
  if (type === 'integer' || type === 'number') return resolved.minimum ?? 1
  if (type === 'boolean') return true
  if (type === undefined || type === 'null') return null
  if (type === 'string') return resolved.format === 'date-time' ? '2030-01-31T12:00:00Z' : 'string'
  const entries = Object.entries(resolved.properties ?? {})
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property, resolve, depth + 1)]))
}

/**
 * The schema as a TypeScript type, with int64 as number, as `response.json()` gives it.
 *
 * @type {(schema: Schema, resolve: Resolve, indent?: string) => string}
 */
export function typeScriptType(schema, resolve, indent = '') {
  const { type, enum: values, const: only, anyOf, items, properties, required = [], ...rest } = resolve(schema)
  /** @type {(one: Schema) => string} */
  const typeOf = (one) => typeScriptType(one, resolve, indent)
  if (values !== undefined) return values.map(literal).join(' | ')
  if (only !== undefined) return literal(only)
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ')
  if (items !== undefined) {
    const item = refName(items) ?? typeOf(items)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (rest.additionalProperties !== undefined) return `Record<string, ${typeOf(rest.additionalProperties)}>`
  const types = [type ?? 'unknown'].flat().map((one) => (one === 'integer' ? 'number' : one))
  if (types[0] !== 'object') return types.join(' | ')
  if (properties === undefined) return 'unknown'
  const lines = Object.entries(properties).map(
    ([name, property]) =>
      `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeScriptType(property, resolve, `${indent}  `)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** @type {(value: unknown) => string} */
const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value))

/** Characters that nobody would see, as a pattern may write them too.
 * @param {string} pattern */
const spelled = (pattern) =>
  pattern.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
