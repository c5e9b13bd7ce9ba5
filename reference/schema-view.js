import { h } from './dom.js'
import { inlineMarkdown } from './markdown.js'
import { constraints, enumValues, flatten, refName, typeName } from './schema.js'

/** The fields of an object or of the items of a list; a plain value shows itself as one row. */
export function schemaFields(schema, resolve, { isAnswer = false, depth = 0 } = {}) {
  const resolved = flatten(schema, resolve)
  if (resolved.type === 'array') return schemaFields(resolved.items, resolve, { isAnswer, depth })
  const properties = Object.entries(resolved.properties ?? {})
  if (properties.length === 0) return valueDetails(schema, resolve)
  const isRequired = (name) => (resolved.required ?? []).includes(name)
  return h(
    'ul',
    { class: 'fields' },
    properties.map(([name, property]) =>
      fieldRow({ name, schema: property, isRequired: isRequired(name), resolve, isAnswer, depth }),
    ),
  )
}

/** One named value: its type, its bounds, its words, and its own fields below when it has any. */
export function fieldRow({ name, schema, isRequired, description = null, resolve, isAnswer = false, depth = 0 }) {
  const flat = flatten(schema, resolve)
  const text = description ?? flat.description ?? ''
  const inner = flat.type === 'array' ? flatten(flat.items, resolve) : flat
  const hasFields = inner.properties !== undefined && depth < 4
  return h(
    'li',
    { class: 'field' },
    h(
      'p',
      { class: 'field-head' },
      h('code', { class: 'field-name' }, name),
      ' ',
      h('span', { class: 'field-type' }, typeLink(schema, resolve)),
      ' ',
      presence(isRequired, isAnswer),
    ),
    text === '' ? null : h('p', { class: 'field-text' }, inlineMarkdown(text)),
    valueDetails(schema, resolve),
    hasFields
      ? h(
          'details',
          { class: 'nested' },
          h('summary', {}, 'Fields'),
          schemaFields(schema, resolve, { isAnswer, depth: depth + 1 }),
        )
      : null,
  )
}

/** In a request a field is required or not; in an answer it is there unless the schema says otherwise. */
function presence(isRequired, isAnswer) {
  if (isAnswer) return isRequired ? null : h('span', { class: 'field-optional' }, 'may be absent')
  return isRequired
    ? h('span', { class: 'field-required' }, 'required')
    : h('span', { class: 'field-optional' }, 'optional')
}

function typeLink(schema, resolve) {
  const name = refName(schema)
  return name === null ? typeName(schema, resolve) : h('a', { href: `#schema-${name}` }, name)
}

function valueDetails(schema, resolve) {
  const phrases = constraints(schema, resolve)
  const values = enumValues(schema, resolve)
  if (phrases.length === 0 && values.length === 0) return null
  return h(
    'p',
    { class: 'field-details' },
    phrases.map((phrase) => [h('span', { class: 'constraint' }, phrase), ' ']),
    values.map((value) => [h('code', { class: 'enum-value' }, JSON.stringify(value).replaceAll('"', '')), ' ']),
  )
}

export function schemaHeading(schema, resolve) {
  const name = refName(schema)
  const type = typeName(schema, resolve)
  return name === null
    ? h('span', { class: 'field-type' }, type)
    : [h('a', { class: 'schema-link', href: `#schema-${name}` }, name), ' ', h('span', { class: 'field-type' }, type)]
}
