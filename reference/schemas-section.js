import { h } from './dom.js'
import { icon } from './icons.js'
import { inlineMarkdown } from './markdown.js'
import { schemaFields } from './schema-view.js'
import { flatten, typeName } from './schema.js'

/** Every named schema of the document, as the links of the operations expect them. */
export function schemasSection(api) {
  if (api.schemas.length === 0) return null
  return h(
    'section',
    { class: 'group', id: 'schemas', 'aria-labelledby': 'schemas-title' },
    h('div', { class: 'group-head' }, h('h2', { id: 'schemas-title' }, 'Schemas')),
    h(
      'div',
      { class: 'schemas' },
      api.schemas.map(({ name, schema }) => schemaCard(name, schema, api.resolve)),
    ),
  )
}

function schemaCard(name, schema, resolve) {
  const { description } = flatten(schema, resolve)
  return h(
    'article',
    { class: 'card schema-card', id: `schema-${name}`, 'aria-labelledby': `schema-${name}-title` },
    h('h3', { id: `schema-${name}-title` }, h('a', { class: 'anchor', href: `#schema-${name}` }, name, icon('link'))),
    h('p', { class: 'field-type' }, typeName(schema, resolve)),
    description === undefined ? null : h('p', { class: 'field-text' }, inlineMarkdown(description)),
    schemaFields(schema, resolve),
  )
}
