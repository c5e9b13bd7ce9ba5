/**
 * @import { Api, Server, Stability } from './document.js'
 * @import { Session } from './session.js'
 */
import { stabilityBadge } from './badges.js'
import { codePanel } from './code-panel.js'
import { copyButton, h } from './dom.js'
import { icon } from './icons.js'
import { markdown } from './markdown.js'
import { exampleAnswer } from './operation-view.js'
import { buildRequest, curlSample, initialValues } from './sample.js'

/** @type {[Stability, string][]} */
const PROMISES = [
  ['stable', 'Kept within this version. What has to go is deprecated first, with a date.'],
  ['beta', 'Meant to stay. Details may still change, and the changelog says so.'],
  ['experimental', 'May change or go at any time. Do not build on it yet.'],
]

/**
 * What stands before the first operation.
 *
 * @type {(api: Api, parts: { session: Session, openKeyDialog: () => void, documentUrl: string }) => HTMLElement}
 */
export function overviewView(api, { session, openKeyDialog, documentUrl }) {
  return h(
    'section',
    { class: 'overview', id: 'overview', 'aria-labelledby': 'overview-title' },
    h(
      'div',
      { class: 'hero' },
      h(
        'div',
        { class: 'hero-text' },
        h('p', { class: 'eyebrow' }, 'API reference'),
        h('h1', { id: 'overview-title' }, api.title),
        h(
          'p',
          { class: 'hero-meta' },
          h('span', { class: 'pill' }, `Version ${api.version}`),
          h('span', { class: 'pill' }, `OpenAPI ${api.openapiVersion}`),
          h(
            'a',
            { class: 'pill is-link', href: documentUrl, download: 'openapi.json' },
            icon('download'),
            'openapi.json',
          ),
        ),
        markdown(api.description),
      ),
      firstCall(api, session),
    ),
    h(
      'section',
      { id: 'addresses', 'aria-labelledby': 'addresses-title' },
      h('h2', { id: 'addresses-title' }, 'Addresses'),
      h(
        'div',
        { class: 'cards' },
        session.servers.map((server, index) => addressCard(server, index, session)),
      ),
    ),
    authentication(api, session, openKeyDialog),
    h(
      'section',
      { id: 'stability', 'aria-labelledby': 'stability-title' },
      h('h2', { id: 'stability-title' }, 'Stability'),
      h(
        'dl',
        { class: 'promises' },
        PROMISES.map(([name, promise]) => h('div', {}, h('dt', {}, stabilityBadge(name)), h('dd', {}, promise))),
      ),
    ),
  )
}

/**
 * The shortest way to a first answer: an operation that needs nothing but a key.
 *
 * @type {(api: Api, session: Session) => HTMLElement | null}
 */
function firstCall(api, session) {
  const candidates = api.operations.filter(({ method, isForBearers }) => method === 'GET' && isForBearers)
  const operation = candidates.find(({ path }) => !path.includes('{')) ?? candidates[0]
  if (operation === undefined) return null
  const code = () => {
    const request = buildRequest(operation, initialValues(operation, api.resolve), session.server().url)
    return `export ${api.access.variable}=${api.access.hint}\n\n${curlSample(request, api.access)}`
  }
  const panel = codePanel({ title: 'Your first call', tabs: [{ label: 'cURL', language: 'shell', code }] })
  session.follow(panel.draw)
  const answer = exampleAnswer(operation, api.resolve, (response) => response.status.startsWith('2'))
  return h('div', { class: 'hero-side' }, panel.element, answer)
}

/** @type {(server: Server, index: number, session: Session) => HTMLElement} */
function addressCard(server, index, session) {
  const onclick = () => session.chooseServer(index)
  const button = h('button', { type: 'button', class: 'button is-small', onclick })
  const card = h(
    'div',
    { class: 'card' },
    h('div', { class: 'card-head' }, h('h3', {}, server.label), button),
    h(
      'p',
      { class: 'card-line' },
      h('code', {}, server.url),
      copyButton(`Copy the ${server.label} address`, () => server.url),
    ),
  )
  session.follow(() => {
    const isChosen = session.serverIndex() === index
    card.classList.toggle('is-chosen', isChosen)
    button.textContent = isChosen ? 'Selected' : 'Select'
    button.setAttribute('aria-pressed', String(isChosen))
  })
  return card
}

/** @type {(api: Api, session: Session, openKeyDialog: () => void) => HTMLElement} */
function authentication(api, session, openKeyDialog) {
  const { noun, title, bearer, session: cookie } = api.access
  const state = h('span', { class: 'hint' })
  session.follow(() => {
    state.textContent =
      session.key() === ''
        ? `No ${noun} for ${session.server().label} in this tab yet.`
        : `A ${noun} for ${session.server().label} is set in this tab.`
  })
  return h(
    'section',
    { id: 'authentication', 'aria-labelledby': 'authentication-title' },
    h('h2', { id: 'authentication-title' }, 'Authentication'),
    cookie === null ? null : markdown(cookie),
    h(
      'p',
      {},
      `${cookie === null ? 'Every operation needs an API key' : 'Programs have a token'}, sent as a bearer token:`,
    ),
    h(
      'pre',
      { class: 'prose-code' },
      h('code', {}, `Authorization: Bearer <${title.toUpperCase().replace(' ', '_')}>`),
    ),
    markdown(bearer),
    h(
      'p',
      { class: 'inline-actions' },
      h('button', { type: 'button', class: 'button', onclick: openKeyDialog }, icon('key'), `Enter your ${noun}`),
      state,
    ),
  )
}
