/**
 * @import { Resolve, Schema, Stability } from './document.js'
 * @import { Child } from './dom.js'
 */
import { stabilityBadge } from './badges.js'
import { refName } from './document.js'
import { details, h } from './dom.js'
import { inlineMarkdown } from './markdown.js'
import { alternatives, constraints, enumValues, typeName } from './schema.js'

/**
 * The fields of an object or of the items of a list; a plain value shows itself as one row.
 *
 * @type {(schema: Schema, resolve: Resolve, place?: { isAnswer?: boolean }) => HTMLElement | null}
 */
export function schemaFields(schema, resolve, { isAnswer = false } = {}) {
  const choices = alternatives(schema, resolve)
  if (choices.length > 1) return alternativeFields(choices, resolve, { isAnswer })
  const { items, properties = {}, required = [], additionalProperties } = resolve(choices[0] ?? schema)
  const inner = items ?? additionalProperties
  if (inner !== undefined) return schemaFields(inner, resolve, { isAnswer })
  const fields = Object.entries(properties)
  if (fields.length === 0) return valueDetails(schema, resolve)
  return h(
    'ul',
    { class: 'fields' },
    fields.map(([name, field]) =>
      fieldRow({ name, schema: field, isRequired: required.includes(name), resolve, isAnswer }),
    ),
  )
}

/**
 * Each of the forms that a value can have.
 *
 * @type {(choices: Schema[], resolve: Resolve, place: { isAnswer: boolean }) => HTMLElement}
 */
function alternativeFields(choices, resolve, place) {
  const forms = choices.map((one) => [
    h('p', { class: 'schema-heading' }, schemaHeading(one, resolve)),
    schemaFields(one, resolve, place),
  ])
  return h('div', {}, forms)
}

/**
 * One named value: its type, its bounds, its words, and its own fields below when it has any.
 *
 * @param {object} field
 * @param {string} field.name
 * @param {Schema} field.schema
 * @param {boolean} field.isRequired
 * @param {string | null} [field.description] Instead of the schema's own.
 * @param {Stability | undefined} [field.stability] Where it is another than the operation's.
 * @param {Resolve} field.resolve
 * @param {boolean} [field.isAnswer]
 */
export function fieldRow({ name, schema, isRequired, description = null, stability, resolve, isAnswer = false }) {
  const flat = resolve(schema)
  const text = description ?? flat.description ?? ''
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
      stability === undefined ? null : [' ', stabilityBadge(stability)],
    ),
    text === '' ? null : h('p', { class: 'field-text' }, inlineMarkdown(text)),
    valueDetails(schema, resolve),
    isStructured(schema, resolve)
      ? details({ class: 'nested' }, 'Fields', () => schemaFields(schema, resolve, { isAnswer }))
      : null,
  )
}

/** @type {(schema: Schema, resolve: Resolve) => boolean} */
function isStructured(schema, resolve) {
  return alternatives(schema, resolve).some((one) => {
    const { items, properties, additionalProperties } = resolve(one)
    const inner = items ?? additionalProperties
    return inner === undefined ? properties !== undefined : isStructured(inner, resolve)
  })
}

/**
 * In a request a field is required or not; in an answer it is there unless the schema says otherwise.
 *
 * @type {(isRequired: boolean, isAnswer: boolean) => HTMLElement | null}
 */
function presence(isRequired, isAnswer) {
  if (isAnswer) return isRequired ? null : h('span', { class: 'field-optional' }, 'may be absent')
  return isRequired
    ? h('span', { class: 'field-required' }, 'required')
    : h('span', { class: 'field-optional' }, 'optional')
}

/** @type {(schema: Schema, resolve: Resolve) => HTMLElement | string} */
function typeLink(schema, resolve) {
  const name = refName(schema)
  return name === null ? typeName(schema, resolve) : h('a', { href: `#schema-${name}` }, name)
}

/** @type {(schema: Schema, resolve: Resolve) => HTMLElement | null} */
function valueDetails(schema, resolve) {
  const phrases = constraints(schema, resolve)
  const values = enumValues(schema, resolve)
  if (phrases.length === 0 && values.length === 0) return null
  return h(
    'p',
    { class: 'field-details' },
    phrases.map((phrase) => [h('span', { class: 'constraint' }, phrase), ' ']),
    values.map((value) => [h('code', { class: 'enum-value' }, value), ' ']),
  )
}

/** @type {(schema: Schema, resolve: Resolve) => Child} */
export function schemaHeading(schema, resolve) {
  const name = refName(schema)
  const type = typeName(schema, resolve)
  return name === null
    ? h('span', { class: 'field-type' }, type)
    : [h('a', { class: 'schema-link', href: `#schema-${name}` }, name), ' ', h('span', { class: 'field-type' }, type)]
}
