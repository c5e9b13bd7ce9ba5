/**
 * @import { OpenApiDocument } from '../src/platform/http/openapi/format.ts'
 * @import { Api, Group } from './document.js'
 * @import { OperationParts } from './operation-view.js'
 */
import { parseExactly, readDocument } from './document.js'
import { h, pageElement } from './dom.js'
import { keyDialog } from './key-dialog.js'
import { markdown } from './markdown.js'
import { drawNavigation, groupId, tagId } from './navigation.js'
import { operationView } from './operation-view.js'
import { overviewView } from './overview.js'
import { schemasSection } from './schemas-section.js'
import { searchDialog } from './search.js'
import { openSession } from './session.js'
import { drawTopBar } from './top-bar.js'

const content = pageElement('content')

try {
  draw(await loadDocument())
} catch (error) {
  content.replaceChildren(failure(error))
}
content.removeAttribute('aria-busy')

async function loadDocument() {
  const meta = document.querySelector('meta[name="openapi"]')
  const url = new URL(meta?.getAttribute('content') ?? '', document.baseURI).href
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  const spec = /** @type {OpenApiDocument} */ (parseExactly(await response.text()))
  return { url, api: readDocument(spec, url) }
}

/** @type {(loaded: { url: string, api: Api }) => void} */
function draw({ url, api }) {
  document.title = `${api.title} API reference`
  const session = openSession(api)
  const openKeyDialog = keyDialog(session)
  const parts = { session, openKeyDialog, resolve: api.resolve }
  drawTopBar(pageElement('top'), api, { session, openKeyDialog, openSearch: searchDialog(api) })
  content.replaceChildren(
    overviewView(api, { session, openKeyDialog, documentUrl: url }),
    ...api.groups.map((group) => groupView(group, parts)),
    schemasSection(api),
    h('footer', { class: 'foot' }, `${api.title} ${api.version}`),
  )
  drawNavigation(pageElement('sidebar'), api)
  // The browser looked for the section of the address before it was drawn.
  if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}

/** @type {(group: Group, parts: OperationParts) => HTMLElement} */
function groupView(group, parts) {
  return h(
    'section',
    { class: 'group', id: groupId(group), 'aria-labelledby': `${groupId(group)}-title` },
    h(
      'div',
      { class: 'group-head' },
      h('h2', { id: `${groupId(group)}-title` }, group.name),
      group.description === '' ? null : markdown(group.description),
    ),
    group.tags.map((tag) => [
      tag.name === group.name
        ? null
        : h(
            'div',
            { class: 'tag-head', id: tagId(tag) },
            h('p', { class: 'tag-name' }, tag.name),
            tag.description === '' ? null : markdown(tag.description),
          ),
      tag.operations.map((operation) => operationView(operation, parts)),
    ]),
  )
}

/** @type {(error: unknown) => HTMLElement} */
function failure(error) {
  console.error(error)
  const cause = error instanceof Error ? error.message : String(error)
  return h(
    'div',
    { class: 'notice', role: 'alert' },
    h(
      'div',
      {},
      h('p', { class: 'notice-title' }, 'The reference could not be loaded'),
      h('p', {}, `${cause} Reload the page; if that does not help, open the OpenAPI document itself.`),
    ),
  )
}
