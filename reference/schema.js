/** @import { Resolve, Schema } from './document.js' */
import { refName } from './document.js'

/**
 * What a schema says, in the words that the page shows.
 *
 * @type {(schema: Schema, resolve: Resolve) => string}
 */
export function typeName(schema, resolve) {
  const { type, items, format } = resolve(schema)
  if (items !== undefined) return `array of ${refName(items) ?? typeName(items, resolve)}`
  return format === undefined ? type : `${type} · ${format}`
}

/**
 * The bounds of a value, each as a short phrase.
 *
 * @type {(schema: Schema, resolve: Resolve) => string[]}
 */
export function constraints(schema, resolve) {
  const { minimum, maximum, minLength, maxLength, maxItems, pattern, ...rest } = resolve(schema)
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(undefined, maxItems, ' items'),
    pattern === undefined ? null : `matches ${pattern}`,
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
 * @type {(schema: Schema, resolve: Resolve) => readonly string[]}
 */
export function enumValues(schema, resolve) {
  const { enum: values, items } = resolve(schema)
  return values ?? (items === undefined ? [] : (resolve(items).enum ?? []))
}

/**
 * A value that fits the schema: its own example where it has one.
 *
 * @type {(schema: Schema, resolve: Resolve, depth?: number) => unknown}
 */
export function exampleOf(schema, resolve, depth = 0) {
  const resolved = resolve(schema)
  const given = resolved.examples?.[0] ?? resolved.default ?? resolved.enum?.[0]
  if (given !== undefined || depth > 6) return given ?? null
  if (resolved.items !== undefined) return [exampleOf(resolved.items, resolve, depth + 1)]
  if (resolved.type === 'integer') return resolved.minimum ?? 1
  if (resolved.type === 'boolean') return true
  if (resolved.type === 'string') return resolved.format === 'date-time' ? '2030-01-31T12:00:00Z' : 'string'
  const entries = Object.entries(resolved.properties ?? {})
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property, resolve, depth + 1)]))
}

/**
 * The schema as a TypeScript type, with int64 as number, as `response.json()` gives it.
 *
 * @type {(schema: Schema, resolve: Resolve, indent?: string) => string}
 */
export function typeScriptType(schema, resolve, indent = '') {
  const { type, enum: values, items, properties, required = [] } = resolve(schema)
  if (values !== undefined) return values.map((value) => `'${value}'`).join(' | ')
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'boolean') return type
  if (items !== undefined) return `${refName(items) ?? typeScriptType(items, resolve, indent)}[]`
  if (properties === undefined) return 'unknown'
  const lines = Object.entries(properties).map(
    ([name, property]) =>
      `${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeScriptType(property, resolve, `${indent}  `)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}
