/**
 * @import { Operation, Parameter, Resolve } from './document.js'
 * @import { OperationParts } from './operation-view.js'
 * @import { SampleRequest, Values } from './sample.js'
 * @import { Session } from './session.js'
 */
import { statusBadge } from './badges.js'
import { announce, copyButton, h } from './dom.js'
import { icon } from './icons.js'
import { highlighted } from './highlight.js'
import { isJson } from './json-text.js'
import { keyProblem } from './key-format.js'
import { buildRequest } from './sample.js'
import { enumValues, isInteger } from './schema.js'

const ANSWER_WITHIN_MS = 30_000

/**
 * The panel that sends an operation's request for real. `onChange` hears of every edit of the values.
 *
 * @type {(parts: OperationParts & { operation: Operation, values: Values, onChange: () => void }) => HTMLElement}
 */
export function tryOutPanel({ operation, values, session, openKeyDialog, resolve, onChange }) {
  const send = h('button', { class: 'button is-primary' }, icon('play'), 'Send')
  const answer = h('div', { class: 'answer', 'aria-live': 'polite' })
  const bodyHint = h('p', { class: 'hint is-warning' })
  const changed = () => {
    bodyHint.textContent = values.body === null || isJson(values.body) ? '' : 'This is not valid JSON yet.'
    onChange()
  }
  const fields = h(
    'fieldset',
    { class: 'try-fields', disabled: !operation.isTryable },
    h('legend', { class: 'visually-hidden' }, `Request of ${operation.summary}`),
    operation.isOpen ? null : keyRow(session, openKeyDialog),
    operation.parameters.map((parameter) => parameterRow(operation, parameter, values, resolve, changed)),
    values.body === null ? null : bodyEditor(operation, values, values.body, bodyHint, changed),
    h('div', { class: 'try-actions' }, send, environmentNote(operation, session)),
  )
  const form = h('form', { class: 'try-form', novalidate: true }, fields)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    send.disabled = true
    answer.replaceChildren(h('p', { class: 'hint' }, 'Waiting for the answer…'))
    answer.replaceChildren(...(await ask(buildRequest(operation, values, session.server().url), session)))
    send.disabled = false
  })
  return h(
    'div',
    {
      role: 'group',
      class: `panel try-panel${operation.isTryable ? '' : ' is-disabled'}`,
      'aria-label': `Try ${operation.summary}`,
    },
    h(
      'div',
      { class: 'panel-head' },
      h('p', { class: 'panel-title' }, 'Try it'),
      operation.isTryable ? null : h('span', { class: 'pill' }, icon('lock'), 'Switched off'),
    ),
    operation.isTryable ? null : h('p', { class: 'try-reason' }, reasonNotToTry(operation)),
    form,
    answer,
  )
}

/** @type {(operation: Operation) => string} */
function reasonNotToTry(operation) {
  if (operation.isUpload) return 'Its body is a file, which this page cannot send. Copy the sample above instead.'
  const cause =
    operation.stability === 'stable'
      ? 'The publisher of this API has switched the panel off for this operation.'
      : `This operation is ${operation.stability}: it may change without notice, so it cannot be tried from here.`
  return `${cause} Copy the sample above to call it from your own code.`
}

/** @type {(session: Session, openKeyDialog: () => void) => HTMLElement} */
function keyRow(session, openKeyDialog) {
  const state = h('span', { class: 'key-state' })
  const button = h('button', { type: 'button', class: 'button is-small', onclick: openKeyDialog })
  const hint = h('p', { class: 'hint is-warning' })
  const { access } = session
  session.follow(() => {
    const key = session.key()
    const none = access.session === null ? 'none yet' : 'none: your session counts, if you are signed in here'
    state.textContent = key === '' ? none : `${key.slice(0, 8)}••••${key.slice(-4)}`
    button.textContent = key === '' ? `Add ${access.noun}` : 'Change'
    hint.textContent = keyProblem(key, { noun: access.noun, serverLabel: session.server().label })?.sentence ?? ''
  })
  return h(
    'div',
    { class: 'try-row' },
    h('span', { class: 'try-label' }, access.title),
    h('span', { class: 'key-line' }, state, button),
    hint,
  )
}

/**
 * @param {Operation} operation
 * @param {Parameter} parameter
 * @param {Values} values
 * @param {Resolve} resolve
 * @param {() => void} changed
 */
function parameterRow(operation, parameter, values, resolve, changed) {
  const id = `try-${operation.id}-${parameter.in}-${parameter.name}`
  const held = values[parameter.in]
  const choices = enumValues(parameter.schema, resolve)
  const flat = resolve(parameter.schema)
  const control =
    choices.length > 0
      ? h(
          'select',
          { id },
          // What must be given is never left out.
          parameter.required ? null : h('option', { value: '' }, 'any'),
          choices.map((choice) => h('option', { value: choice }, choice)),
        )
      : h('input', {
          id,
          type: 'text',
          spellcheck: 'false',
          autocomplete: 'off',
          inputmode: isInteger(flat) ? 'numeric' : null,
          placeholder: flat.default === undefined ? (parameter.required ? 'required' : 'optional') : `${flat.default}`,
        })
  // What is shown is what is sent.
  control.value = held[parameter.name] ?? ''
  control.addEventListener('input', () => {
    held[parameter.name] = control.value
    changed()
  })
  return h(
    'div',
    { class: 'try-row' },
    h('label', { class: 'try-label', for: id }, h('code', {}, parameter.name)),
    control,
  )
}

/**
 * @param {Operation} operation
 * @param {Values} values
 * @param {string} body
 * @param {HTMLElement} hint
 * @param {() => void} changed
 */
function bodyEditor(operation, values, body, hint, changed) {
  const id = `try-${operation.id}-body`
  const area = h('textarea', {
    id,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    rows: Math.min(12, body.split('\n').length + 1),
  })
  area.value = body
  area.addEventListener('input', () => {
    values.body = area.value
    changed()
  })
  return h('div', { class: 'try-body' }, h('label', { class: 'try-label', for: id }, 'Body'), area, hint)
}

/** @type {(operation: Operation, session: Session) => HTMLElement} */
function environmentNote(operation, session) {
  const note = h('p', { class: 'hint' })
  session.follow(() => {
    const { label } = session.server()
    note.textContent = operation.method === 'GET' ? `Asks ${label}.` : `Writes to ${label}, for real.`
  })
  return note
}

/**
 * Sends the request and returns what to show, whatever happens.
 *
 * @type {(request: SampleRequest, session: Session) => Promise<HTMLElement[]>}
 */
async function ask(request, session) {
  const key = session.key()
  const startedAt = performance.now()
  const headers = headersOf(request, key)
  if (headers === undefined) {
    return [h('p', { class: 'hint is-warning' }, 'A header, or the key, has a character that headers cannot carry.')]
  }
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      body: request.body,
      // A page elsewhere has no session to send; where there is a token, it alone counts.
      credentials: session.access.session === null || key !== '' ? 'omit' : 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const text = await response.text()
    announce(`Answer ${response.status}`)
    return answerView(response, text, Math.round(performance.now() - startedAt))
  } catch (error) {
    const cause =
      error instanceof DOMException && error.name === 'TimeoutError'
        ? `No answer came within ${ANSWER_WITHIN_MS / 1000} seconds.`
        : 'The request did not get through.'
    return [
      h(
        'p',
        { class: 'hint is-warning' },
        `${cause} Check that ${new URL(request.url).origin} is reachable from this browser, then send again.`,
      ),
    ]
  }
}

/** @type {(request: SampleRequest, key: string) => Headers | undefined} */
function headersOf(request, key) {
  try {
    const headers = new Headers(request.headers)
    if (key !== '') headers.set('Authorization', `Bearer ${key}`)
    return headers
  } catch {
    return undefined
  }
}

/** @type {(response: Response, text: string, tookMs: number) => HTMLElement[]} */
function answerView(response, text, tookMs) {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const code = h('code', {}, highlighted(text, 'json'))
  return [
    h(
      'div',
      { class: 'answer-head' },
      statusBadge(String(response.status)),
      h('span', { class: 'hint' }, `${response.statusText} · ${tookMs} ms · ${new Blob([text]).size} bytes`),
      copyButton('Copy the answer', () => code.textContent),
    ),
    text === ''
      ? h('p', { class: 'hint' }, 'No body.')
      : h('pre', { class: 'code', tabindex: 0, 'aria-label': 'Body of the answer' }, code),
    headers === ''
      ? null
      : h(
          'details',
          { class: 'answer-headers' },
          h('summary', {}, 'Headers'),
          h('pre', { class: 'code' }, h('code', {}, headers)),
        ),
  ].filter((part) => part !== null)
}
