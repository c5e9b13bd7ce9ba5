/** @import { ApiResponse, Operation, Resolve } from './document.js' */
import { statusBadge } from './badges.js'
import { details, h } from './dom.js'
import { inlineMarkdown } from './markdown.js'
import { schemaFields, schemaHeading } from './schema-view.js'

/**
 * Every documented answer of an operation; successes are open.
 *
 * @type {(operation: Operation, resolve: Resolve) => HTMLElement}
 */
export function responseList(operation, resolve) {
  return h(
    'div',
    { class: 'responses' },
    operation.responses.map((response) =>
      details(
        { class: 'response', open: response.status.startsWith('2') },
        [statusBadge(response.status), h('span', { class: 'response-text' }, inlineMarkdown(response.description))],
        () => responseBody(response, resolve),
      ),
    ),
  )
}

/** @type {(response: ApiResponse, resolve: Resolve) => HTMLElement} */
function responseBody({ schema, headers, help }, resolve) {
  return h(
    'div',
    { class: 'response-body' },
    schema === undefined
      ? h('p', { class: 'hint' }, 'No body.')
      : [
          h('p', { class: 'schema-heading' }, schemaHeading(schema, resolve)),
          schemaFields(schema, resolve, { isAnswer: true }),
        ],
    headerList(headers),
    help === undefined
      ? null
      : h('p', { class: 'hint' }, h('a', { href: help.href }, `${help.code}: causes, and what to do`)),
  )
}

/** @type {(headers: ApiResponse['headers']) => HTMLElement | null} */
function headerList(headers) {
  if (headers.length === 0) return null
  return h(
    'div',
    { class: 'response-headers' },
    h('p', { class: 'mini-heading' }, 'Headers'),
    h(
      'ul',
      { class: 'fields' },
      headers.map((header) =>
        h(
          'li',
          { class: 'field' },
          h('p', { class: 'field-head' }, h('code', { class: 'field-name' }, header.name)),
          h('p', { class: 'field-text' }, inlineMarkdown(header.description)),
        ),
      ),
    ),
  )
}
