/** Keywords that describe and do not restrict. */
const PROSE = new Set(['description', 'examples', 'example', 'default', '$id', 'title', 'summary'])

type SchemaObject = Record<string, unknown>

/**
 * The problems of a value by a JSON Schema, written against the standard and not against the service's own checker.
 * A keyword that it does not know is a problem too: nothing passes because it was not looked at.
 */
export function problemsOf(
  schema: SchemaObject,
  value: unknown,
  resolve: (ref: string) => SchemaObject,
  at = '$',
): string[] {
  const known: Record<string, (expected: never) => boolean | string[]> = {
    $ref: (ref: string) => problemsOf(resolve(ref), value, resolve, at),
    type: (type: string) => hasType(value, type),
    enum: (values: unknown[]) => values.includes(value),
    minimum: (least: number) => Number(value) >= least,
    maximum: (most: number) => Number(value) <= most,
    minLength: (least: number) => [...String(value)].length >= least,
    maxLength: (most: number) => [...String(value)].length <= most,
    pattern: (pattern: string) => new RegExp(pattern, 'u').test(value as string),
    maxItems: (most: number) => (value as unknown[]).length <= most,
    minProperties: (least: number) => Object.keys(value as object).length >= least,
    format: (format: string) => hasFormat(value, format),
    items: (items: SchemaObject) =>
      (value as unknown[]).flatMap((item, index) => problemsOf(items, item, resolve, `${at}[${index}]`)),
    required: (names: string[]) => names.every((name) => Object.hasOwn(value as object, name)),
    properties: (fields: Record<string, SchemaObject>) =>
      Object.entries(fields).flatMap(([name, field]) =>
        Object.hasOwn(value as object, name)
          ? problemsOf(field, (value as SchemaObject)[name], resolve, `${at}.${name}`)
          : [],
      ),
  }
  if (schema.type !== undefined && !hasType(value, schema.type as string)) return [`${at} is no ${schema.type}`]
  return Object.entries(schema).flatMap(([keyword, expected]) => {
    if (PROSE.has(keyword)) return []
    const check = known[keyword]
    if (!check) return [`${at} is judged by ${keyword}, which is not known here`]
    const outcome = check(expected as never)
    if (typeof outcome !== 'boolean') return outcome
    return outcome ? [] : [`${at} breaks ${keyword}: ${JSON.stringify(expected)}`]
  })
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
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
