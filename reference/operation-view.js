/**
 * @import { CodeTab, TabMemory } from './code-panel.js'
 * @import { ApiResponse, Operation, Resolve } from './document.js'
 * @import { Child } from './dom.js'
 * @import { Values } from './sample.js'
 * @import { Session } from './session.js'
 */
import { methodBadge, stabilityBadge } from './badges.js'
import { codePanel } from './code-panel.js'
import { copyButton, h } from './dom.js'
import { goSample } from './go-sample.js'
import { icon } from './icons.js'
import { inlineMarkdown, markdown } from './markdown.js'
import { pythonSample } from './python-sample.js'
import { responseList } from './response-view.js'
import { buildRequest, curlSample, initialValues, typeScriptSample } from './sample.js'
import { exampleOf } from './schema.js'
import { fieldRow, schemaFields, schemaHeading } from './schema-view.js'
import { tryOutPanel } from './try-out.js'

/** @type {TabMemory} */
const languageMemory = { chosen: 0, listeners: new Set() }

/** @typedef {{ session: Session, openKeyDialog: () => void, resolve: Resolve }} OperationParts */

/**
 * One operation: what it is on the left, how to call it on the right.
 *
 * @type {(operation: Operation, parts: OperationParts) => HTMLElement}
 */
export function operationView(operation, { session, openKeyDialog, resolve }) {
  const values = initialValues(operation, resolve)
  const samples = codePanel({
    title: 'Request',
    tabs: sampleTabs(operation, values, session, resolve),
    memory: languageMemory,
  })
  session.follow(samples.draw)
  return h(
    'article',
    { class: 'operation', id: operation.id, 'aria-labelledby': `${operation.id}-title` },
    h(
      'div',
      { class: 'operation-text' },
      h(
        'header',
        { class: 'operation-head' },
        h(
          'h3',
          { id: `${operation.id}-title` },
          h('a', { class: 'anchor', href: `#${operation.id}` }, operation.summary, icon('link')),
        ),
        badges(operation),
      ),
      endpointLine(operation, session),
      operation.deprecation === null ? null : deprecationNotice(operation.deprecation),
      markdown(operation.description),
      parameterSections(operation, resolve),
      bodySection(operation, resolve),
      h('section', {}, h('h4', {}, 'Responses'), responseList(operation, resolve)),
    ),
    stickToView(
      h(
        'div',
        { class: 'operation-side' },
        samples.element,
        exampleAnswer(operation, resolve),
        tryOutPanel({ operation, values, session, openKeyDialog, resolve, onChange: samples.draw }),
      ),
    ),
  )
}

/** @type {(operation: Operation) => HTMLElement} */
function badges(operation) {
  return h(
    'p',
    { class: 'badges' },
    operation.deprecation === null ? null : h('span', { class: 'badge is-deprecated' }, 'deprecated'),
    operation.deprecation !== null && operation.stability === 'stable' ? null : stabilityBadge(operation.stability),
  )
}

/** @type {(operation: Operation, session: Session) => HTMLElement} */
function endpointLine(operation, session) {
  const base = h('span', { class: 'endpoint-base' })
  session.follow(() => (base.textContent = new URL(session.server().url).pathname.replace(/\/$/, '')))
  const path = operation.path
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? h('span', { class: 'endpoint-parameter' }, part) : part))
  return h(
    'p',
    { class: 'endpoint' },
    methodBadge(operation.method),
    h('code', { class: 'endpoint-path' }, base, path),
    copyButton('Copy the address', () => `${session.server().url}${operation.path}`),
  )
}

/** @type {(deprecation: NonNullable<Operation['deprecation']>) => HTMLElement} */
function deprecationNotice({ sunset, replacement }) {
  const advice = h('p', {}, inlineMarkdown(replacement))
  const text = h('div', {}, h('p', { class: 'notice-title' }, deprecationTitle(sunset)), advice)
  return h('div', { class: 'notice', role: 'note' }, icon('warning'), text)
}

/** @type {(sunset: string) => Child[]} */
function deprecationTitle(sunset) {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(sunset))
  const verb = new Date() < new Date(sunset) ? 'Deprecated, to be removed on ' : 'Removed on '
  return [verb, h('time', { datetime: sunset }, day)]
}

const PLACES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' }

/** @type {(operation: Operation, resolve: Resolve) => Child[]} */
function parameterSections(operation, resolve) {
  return Object.entries(PLACES).map(([place, title]) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place)
    if (parameters.length === 0) return null
    return h(
      'section',
      {},
      h('h4', {}, title),
      h(
        'ul',
        { class: 'fields' },
        parameters.map((parameter) =>
          fieldRow({
            name: parameter.name,
            schema: parameter.schema,
            isRequired: parameter.required,
            description: parameter.description ?? null,
            stability: parameter['x-stability'],
            resolve,
          }),
        ),
      ),
    )
  })
}

/** @type {(operation: Operation, resolve: Resolve) => HTMLElement | null} */
function bodySection(operation, resolve) {
  if (operation.body === null) return null
  const { schema, isRequired } = operation.body
  return h(
    'section',
    {},
    h('h4', {}, 'Body'),
    h(
      'p',
      { class: 'schema-heading' },
      schemaHeading(schema, resolve),
      ' ',
      isRequired ? h('span', { class: 'field-required' }, 'required') : null,
    ),
    schemaFields(schema, resolve),
  )
}

/** @type {(operation: Operation, values: Values, session: Session, resolve: Resolve) => CodeTab[]} */
function sampleTabs(operation, values, session, resolve) {
  const request = () => buildRequest(operation, values, session.server().url)
  return [
    { label: 'cURL', language: 'shell', code: () => curlSample(request(), session.access) },
    {
      label: 'TypeScript',
      language: 'typescript',
      code: () => typeScriptSample(operation, request(), resolve, session.access),
    },
    { label: 'Python', language: 'python', code: () => pythonSample(operation, request(), session.access) },
    { label: 'Go', language: 'go', code: () => goSample(operation, request(), resolve, session.access) },
  ]
}

/**
 * Keeps the column in view while the text beside it scrolls: by its top, or by its end when it is too tall.
 *
 * @type {(column: HTMLElement) => HTMLElement}
 */
function stickToView(column) {
  // The observer is told of columns that are drawn; to ask a hundred others for their height would lay them all out.
  new ResizeObserver(([seen]) =>
    column.style.setProperty('--height', `${seen?.borderBoxSize[0]?.blockSize}px`),
  ).observe(column)
  return column
}

/**
 * The examples of the document, and made-up ones of good answers that have none.
 *
 * @type {(
 *   operation: Operation,
 *   resolve: Resolve,
 *   isShown?: (response: ApiResponse) => boolean,
 * ) => HTMLElement | null}
 */
export function exampleAnswer(operation, resolve, isShown = () => true) {
  const shown = operation.responses.filter((response) => response.schema !== undefined && isShown(response))
  if (shown.length === 0) return null
  /** @type {CodeTab[]} */
  const tabs = shown.map((response) => ({
    label: response.status,
    language: 'json',
    code: () => JSON.stringify(response.example ?? exampleOf(response.schema ?? {}, resolve)),
  }))
  return codePanel({ title: 'Response', tabs }).element
}
