/** @import { ApiResponse, Operation, Resolve } from './document.js' */
import { statusBadge } from './badges.js'
import { h } from './dom.js'
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
      h(
        'details',
        { class: 'response', open: response.status.startsWith('2') },
        h(
          'summary',
          {},
          statusBadge(response.status),
          h('span', { class: 'response-text' }, inlineMarkdown(response.description)),
        ),
        h(
          'div',
          { class: 'response-body' },
          response.schema === undefined
            ? h('p', { class: 'hint' }, 'No body.')
            : [
                h('p', { class: 'schema-heading' }, schemaHeading(response.schema, resolve)),
                schemaFields(response.schema, resolve, { isAnswer: true }),
              ],
          headerList(response.headers),
          response.help === undefined
            ? null
            : h(
                'p',
                { class: 'hint' },
                h('a', { href: response.help.href }, `${response.help.code}: causes, and what to do`),
              ),
        ),
      ),
    ),
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
