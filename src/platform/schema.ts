import { type Int64, isInt64 } from './int64.ts'

/**
 * JSON Schema with its TypeScript type, built, checked and published from one object.
 *
 * Small on purpose: integers beyond 2^53 are bigints in memory, which no JSON Schema library checks, and the
 * library we began with cost 0.3 s of every start and 20 MB for the six kinds of schema that exist here.
 * `rule` (the sentence that a person reads when a value is refused) and `optional` are private; everything
 * else is published as it stands.
 */
export interface Schema<Value = unknown> {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  readonly rule: string
  readonly $id?: string
  readonly description?: string
  readonly optional?: boolean
  readonly [keyword: string]: unknown
  /** Carries the type; never set. */
  readonly '~value'?: Value
}

export interface ObjectSchema<Value = unknown, P extends Properties = Properties> extends Schema<Value> {
  readonly properties: P
  readonly required: readonly string[]
}

export type Static<S> = S extends Schema<infer Value> ? Value : never

type Optional<S extends Schema> = S & { readonly optional: true }
export type Properties = Readonly<Record<string, Schema>>
type OptionalNames<P extends Properties> = { [N in keyof P]: P[N] extends { optional: true } ? N : never }[keyof P]
type ObjectValue<P extends Properties> = { [N in Exclude<keyof P, OptionalNames<P>>]: Static<P[N]> } & {
  [N in OptionalNames<P>]?: Static<P[N]>
}

interface Options {
  $id?: string
  description?: string
  rule?: string
  [keyword: string]: unknown
}

export function object<P extends Properties>(properties: P, options: Options = {}): ObjectSchema<ObjectValue<P>, P> {
  const required = Object.keys(properties).filter((name) => !properties[name]?.optional)
  return { type: 'object', rule: 'must be a JSON object', ...options, properties, required }
}

export function array<Item>(items: Schema<Item>, options: Options & { maxItems?: number } = {}): Schema<Item[]> {
  return { type: 'array', rule: 'must be a list', ...options, items }
}

interface TextOptions extends Options {
  minLength?: number
  maxLength?: number
  pattern?: string
  /** `date-time`: see `instant`. */
  format?: string
}

const CONTROLS = '\u0000-\u001f\u007f-\u009f'
const SPACES = ' \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

/**
 * A pattern for text that people read: not only white space, no control characters, which break terminals and logs.
 * With characters and no escapes: every engine, ECMAScript's with or without its flag `u`, reads it alike. At the first
 * character that is no white space it has one way to go on, so that no text makes it slow.
 */
export const PRINTABLE = `^[${SPACES}]*[^${SPACES}${CONTROLS}][^${CONTROLS}]*$`

/** They turn around what stands beside them, so that it is read as something else. The marks of a language do not. */
const TURNING = '\u202a-\u202e\u2066-\u2069'
export const TURNING_CHARACTERS = new RegExp(`[${TURNING}]`, 'g')

/** The same for what people call themselves and their things, which others read among words of ours. */
export const SHOWN = `^[${SPACES}]*[^${SPACES}${CONTROLS}${TURNING}][^${CONTROLS}${TURNING}]*$`

export const shownText = (maxLength: number): Schema<string> =>
  text({
    minLength: 1,
    maxLength,
    pattern: SHOWN,
    rule: `must be 1 to ${maxLength} characters long, without control characters`,
  })

export function text(options: TextOptions = {}): Schema<string> {
  return { type: 'string', rule: 'must be text', ...options }
}

/** A moment: ISO 8601 in JSON, milliseconds in a column. */
export function instant(options: Options = {}): Schema<string> & { readonly format: 'date-time' } {
  return { type: 'string', rule: 'must be a time such as 2027-01-31T12:00:00Z', format: 'date-time', ...options }
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

function isTime(value: string): boolean {
  const [, day] = INSTANT.exec(value) ?? []
  if (day === undefined || Number.isNaN(Date.parse(value))) return false
  // `Date` takes the 31st of February for the 3rd of March.
  return new Date(day).toISOString().startsWith(day)
}

export function oneOf<const Value extends string>(values: readonly Value[], options: Options = {}): Schema<Value> {
  return { type: 'string', rule: `must be ${listed(values, 'or')}`, ...options, enum: values }
}

export function integer(options: Options & { minimum?: number; maximum?: number } = {}): Schema<number> {
  return { type: 'integer', rule: 'must be an integer', ...options }
}

const INT64_RULE = 'must be an integer from -9223372036854775808 to 9223372036854775807'

export function int64(options: Options = {}): Schema<Int64> {
  return { type: 'integer', rule: INT64_RULE, ...options, format: 'int64' }
}

export function boolean(options: Options = {}): Schema<boolean> {
  return { type: 'boolean', rule: 'must be true or false', ...options }
}

export function optional<S extends Schema>(schema: S): Optional<S> {
  return { ...schema, optional: true }
}

/** Each property with the choice to leave it out. */
export function partial<P extends Properties>(properties: P): { readonly [N in keyof P]: Optional<P[N]> } {
  const entries = Object.entries(properties).map(([name, schema]) => [name, optional(schema)])
  return Object.fromEntries(entries)
}

/** The fields that the schema declares, in its order: whatever else was sent, `role` or `__proto__`, ends here. */
export function declared<Value>({ properties }: ObjectSchema<Value>, value: Value): Value {
  const kept: Record<string, unknown> = {}
  for (const name in properties) {
    if (Object.hasOwn(value as object, name)) kept[name] = (value as Record<string, unknown>)[name]
  }
  return kept as Value
}

type JsonType = Schema['type'] | 'number' | 'null'

/** A schema as an OpenAPI document shows it, with the keywords that the functions above and the client's types have. */
export interface InlineSchema extends Pick<TextOptions, 'minLength' | 'maxLength' | 'pattern' | 'format'> {
  type?: JsonType | JsonType[]
  description?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: PublishedSchema[]
  items?: PublishedSchema
  properties?: Record<string, PublishedSchema>
  /** Of an object whose fields have no names that are known before. */
  additionalProperties?: PublishedSchema
  required?: readonly string[]
  default?: unknown
  examples?: readonly unknown[]
}

/** Inline, or the name of a component. */
export type PublishedSchema = InlineSchema | { $ref: string }

/** The schema as the OpenAPI document shows it. */
export function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published)
  if (typeof schema !== 'object' || schema === null) return schema
  const shown = Object.entries(schema).filter(([keyword]) => keyword !== 'rule' && keyword !== 'optional')
  return Object.fromEntries(shown.map(([keyword, value]) => [keyword, published(value)]))
}

/** Every field that the schema refuses, as a sentence that names it; empty when the value is fine. */
export function refusals(schema: Schema, value: unknown, path = ''): readonly string[] {
  if (schema.type === 'object') return refusedFields(schema as ObjectSchema, value, path)
  const { items } = schema as { items?: Schema }
  if (!holds(schema, value)) return [`${path || 'it'} ${schema.rule}`]
  if (!items) return NONE
  return (value as unknown[]).flatMap((item, index) => refusals(items, item, `${path}[${index}]`))
}

/** Made once: nearly every value is fine. */
const NONE: readonly string[] = []

function refusedFields({ properties, required, rule }: ObjectSchema, value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path || 'it'} ${rule}`]
  const refused: string[] = []
  for (const name in properties) {
    const given = (value as Record<string, unknown>)[name]
    // Own properties only: `__proto__` and `constructor` are no fields.
    const isGiven = given !== undefined && Object.hasOwn(value, name)
    if (!isGiven && !required.includes(name)) continue
    const field = properties[name] as Schema
    const fieldPath = path ? `${path}.${name}` : name
    if (isGiven) refused.push(...refusals(field, given, fieldPath))
    else refused.push(`${fieldPath} is required and ${field.rule}`)
  }
  return refused
}

function holds(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && holdsText(schema as TextOptions & { enum?: readonly string[] }, value)
    case 'integer':
      if (schema.format === 'int64') return isInt64(value)
      return Number.isSafeInteger(value) && within(value as number, schema.minimum, schema.maximum)
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value) && within(value.length, 0, schema.maxItems)
    case 'object':
      return false
  }
}

function holdsText(schema: TextOptions & { enum?: readonly string[] }, value: string): boolean {
  if (schema.enum) return schema.enum.includes(value)
  // PostgreSQL stores and compares no text with a NUL in it; a lone surrogate cannot be sent back as UTF-8.
  if (value.includes('\0') || !value.isWellFormed()) return false
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value)) return false
  if (schema.format === 'date-time' && !isTime(value)) return false
  return within(characters(value, schema.maxLength), schema.minLength, schema.maxLength)
}

/** JSON Schema counts code points; most texts are short enough for the question not to matter. */
function characters(value: string, maxLength = Infinity): number {
  return value.length > maxLength && value.length <= 2 * maxLength ? [...value].length : value.length
}

const patterns = new Map<string, RegExp>()

function patternOf(pattern: string): RegExp {
  let known = patterns.get(pattern)
  if (!known) patterns.set(pattern, (known = new RegExp(pattern, 'u')))
  return known
}

function within(value: number, minimum: unknown, maximum: unknown): boolean {
  return (
    value >= ((minimum as number | undefined) ?? -Infinity) && value <= ((maximum as number | undefined) ?? Infinity)
  )
}

/** Its first characters, as many as these at most: half of one that takes two places, such as 🐶, is no text. */
export function beginningOf(value: string, maxLength: number): string {
  if (value.length <= maxLength) return value
  const enough = value.slice(0, 2 * maxLength)
  return [...enough].slice(0, maxLength).join('')
}

export function listed(values: readonly string[], word: 'and' | 'or'): string {
  return values.length < 2 ? String(values[0]) : `${values.slice(0, -1).join(', ')} ${word} ${values.at(-1)}`
}
