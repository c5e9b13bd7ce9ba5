/** What a schema says, in the words that the page shows. */
export function refName(schema) {
  return schema?.$ref?.split('/').at(-1) ?? null
}

/** Follows references and merges `allOf`, so that an object shows all of its fields. */
export function flatten(schema, resolve) {
  const resolved = resolve(schema ?? {})
  if (resolved.allOf === undefined) return resolved
  const parts = [resolved, ...resolved.allOf.map((part) => flatten(part, resolve))]
  return {
    ...Object.assign({}, ...parts.toReversed()),
    allOf: undefined,
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
    required: parts.flatMap((part) => part.required ?? []),
  }
}

export function typeName(schema, resolve) {
  const resolved = flatten(schema, resolve)
  const types = [resolved.type ?? (resolved.properties ? 'object' : resolved.enum ? 'string' : 'any')].flat()
  const names = types.map((type) => {
    if (type === 'array') return `array of ${refName(resolved.items) ?? typeName(resolved.items, resolve)}`
    return resolved.format === undefined ? type : `${type} · ${resolved.format}`
  })
  return names.join(' or ')
}

/** The bounds of a value, each as a short phrase. */
export function constraints(schema, resolve) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, ...rest } = flatten(schema, resolve)
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern === undefined ? null : `matches ${pattern}`,
    rest.default === undefined ? null : `default ${JSON.stringify(rest.default)}`,
    rest.const === undefined ? null : `always ${JSON.stringify(rest.const)}`,
  ].filter((phrase) => phrase !== null)
}

function range(low, high, unit) {
  if (low === undefined && high === undefined) return null
  if (low === undefined) return `at most ${high}${unit}`
  if (high === undefined) return `at least ${low}${unit}`
  return `${low} – ${high}${unit}`
}

export function enumValues(schema, resolve) {
  const resolved = flatten(schema, resolve)
  return resolved.enum ?? (resolved.type === 'array' ? (flatten(resolved.items, resolve).enum ?? []) : [])
}

/** A value that fits the schema: its own example where it has one. */
export function exampleOf(schema, resolve, depth = 0) {
  const resolved = flatten(schema, resolve)
  const given = resolved.example ?? resolved.examples?.[0] ?? resolved.default ?? resolved.const ?? resolved.enum?.[0]
  if (given !== undefined || depth > 6) return given ?? null
  const type = [resolved.type].flat()[0]
  if (type === 'array') return [exampleOf(resolved.items, resolve, depth + 1)]
  if (type === 'integer' || type === 'number') return resolved.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'string') return resolved.format === 'date-time' ? '2030-01-31T12:00:00Z' : 'string'
  const entries = Object.entries(resolved.properties ?? {})
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property, resolve, depth + 1)]))
}

/** The schema as a TypeScript type, with int64 as number, as `response.json()` gives it. */
export function typeScriptType(schema, resolve, indent = '') {
  const resolved = flatten(schema, resolve)
  if (resolved.enum !== undefined)
    return resolved.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ')
  const type = [resolved.type].flat()[0]
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean') return type
  if (type === 'array') return `${refName(resolved.items) ?? typeScriptType(resolved.items, resolve, indent)}[]`
  if (resolved.properties === undefined) return 'unknown'
  const isRequired = (name) => (resolved.required ?? []).includes(name)
  const lines = Object.entries(resolved.properties).map(
    ([name, property]) =>
      `${indent}  ${name}${isRequired(name) ? '' : '?'}: ${typeScriptType(property, resolve, `${indent}  `)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}
