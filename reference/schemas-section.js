/** @import { Api, Resolve, Schema } from './document.js' */
import { h } from './dom.js'
import { icon } from './icons.js'
import { inlineMarkdown } from './markdown.js'
import { schemaFields } from './schema-view.js'
import { typeName } from './schema.js'

/**
 * Every named schema of the document, as the links of the operations expect them.
 *
 * @type {(api: Api) => HTMLElement}
 */
export function schemasSection(api) {
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

/** @type {(name: string, schema: Schema, resolve: Resolve) => HTMLElement} */
function schemaCard(name, schema, resolve) {
  const { description } = resolve(schema)
  return h(
    'article',
    { class: 'card schema-card', id: `schema-${name}`, 'aria-labelledby': `schema-${name}-title` },
    h('h3', { id: `schema-${name}-title` }, h('a', { class: 'anchor', href: `#schema-${name}` }, name, icon('link'))),
    h('p', { class: 'field-type' }, typeName(schema, resolve)),
    description === undefined ? null : h('p', { class: 'field-text' }, inlineMarkdown(description)),
    schemaFields(schema, resolve),
  )
}
