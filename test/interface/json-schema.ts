/** Keywords that describe and do not restrict. */
const PROSE = new Set(['description', 'examples', 'example', 'default', '$id', 'title', 'summary'])

type SchemaObject = Record<string, unknown>

/**
 * The problems of a value by a JSON Schema, written against the standard and not against the service's own checker.
 * A keyword that it does not know is a problem too: nothing passes because it was not looked at. With `closed` a field
 * that the schema does not name is one as well.
 */
export function problemsOf(
  schema: SchemaObject,
  value: unknown,
  resolve: (ref: string) => SchemaObject,
  at = '$',
  closed = false,
): string[] {
  const inner = (part: SchemaObject, of: unknown, where = at) => problemsOf(part, of, resolve, where, closed)
  const known: Record<string, (expected: never) => boolean | string[]> = {
    $ref: (ref: string) => inner(resolve(ref), value),
    type: (type: string | string[]) => hasSomeType(value, type),
    const: (only: unknown) => value === only,
    anyOf: (choices: SchemaObject[]) => {
      const problems = choices.map((one) => inner(one, value))
      return problems.some((found) => found.length === 0) ? [] : problems.flat()
    },
    enum: (values: unknown[]) => values.includes(value),
    minimum: (least: number) => Number(value) >= least,
    maximum: (most: number) => Number(value) <= most,
    minLength: (least: number) => [...String(value)].length >= least,
    maxLength: (most: number) => [...String(value)].length <= most,
    pattern: (pattern: string) => new RegExp(pattern, 'u').test(value as string),
    minItems: (least: number) => (value as unknown[]).length >= least,
    maxItems: (most: number) => (value as unknown[]).length <= most,
    minProperties: (least: number) => Object.keys(value as object).length >= least,
    format: (format: string) => hasFormat(value, format),
    items: (items: SchemaObject) =>
      (value as unknown[]).flatMap((item, index) => inner(items, item, `${at}[${index}]`)),
    required: (names: string[]) => names.every((name) => Object.hasOwn(value as object, name)),
    properties: (fields: Record<string, SchemaObject>) =>
      Object.entries(fields).flatMap(([name, field]) =>
        Object.hasOwn(value as object, name) ? inner(field, (value as SchemaObject)[name], `${at}.${name}`) : [],
      ),
  }
  if (schema.type !== undefined && !hasSomeType(value, schema.type as string)) return [`${at} is no ${schema.type}`]
  // What is null by its type has nothing else to hold.
  if (value === null && [schema.type].flat().includes('null') && !schema.enum) return []
  const { properties, additionalProperties } = schema as Record<'properties' | 'additionalProperties', SchemaObject>
  const isObject = typeof value === 'object' && schema.type === 'object'
  const unnamed = isObject ? Object.entries(value as object).filter(([name]) => !properties?.[name]) : []
  const others = unnamed.flatMap(([name, field]) => {
    if (additionalProperties) return inner(additionalProperties, field, `${at}.${name}`)
    return closed && properties ? [`${at}.${name} is not in the document`] : []
  })
  const named = Object.entries(schema).flatMap(([keyword, expected]) => {
    if (PROSE.has(keyword) || keyword === 'additionalProperties') return []
    const check = known[keyword]
    if (!check) return [`${at} is judged by ${keyword}, which is not known here`]
    const outcome = check(expected as never)
    if (typeof outcome !== 'boolean') return outcome
    return outcome ? [] : [`${at} breaks ${keyword}: ${JSON.stringify(expected)}`]
  })
  return [...named, ...others]
}

const hasSomeType = (value: unknown, type: string | string[]) => [type].flat().some((one) => hasType(value, one))

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

function hasFormat(value: unknown, format: string): boolean {
  switch (format) {
    case 'int64':
      return BigInt.asIntN(64, BigInt(value as number)) === BigInt(value as number)
    case 'date-time':
      return (
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value as string) && !Number.isNaN(Date.parse(value as string))
      )
    default:
      return false
  }
}
