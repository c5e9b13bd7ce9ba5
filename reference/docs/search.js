/** @import { SearchEntry } from '../../src/pages/docs/search-index.ts' */
import { h } from '../dom.js'
import { icon } from '../icons.js'
import { findParts } from './find.js'

/** @type {SearchEntry[]} */
let index = []
/** @type {SearchEntry[]} */
let found = []
let chosen = 0
let hint = 'Loading …'

const input = h('input', {
  type: 'search',
  role: 'combobox',
  placeholder: 'Search the documentation',
  'aria-label': 'Search the documentation',
  'aria-expanded': 'true',
  'aria-controls': 'search-results',
  autocomplete: 'off',
  spellcheck: 'false',
})
const list = h('ul', { id: 'search-results', class: 'search-results', role: 'listbox', 'aria-label': 'Results' })
const state = h('p', { class: 'search-none', role: 'status' })
const dialog = h(
  'dialog',
  { class: 'dialog search-dialog', 'aria-label': 'Search' },
  h('div', { class: 'search-head' }, icon('search'), input),
  list,
  state,
)
document.body.append(dialog)

input.addEventListener('input', () => draw(0))
input.addEventListener('keydown', (event) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step !== 0) {
    event.preventDefault()
    draw(chosen + step)
  } else if (event.key === 'Enter') open(found[chosen])
})
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
void load()

export function showSearch() {
  if (dialog.open) return
  input.value = ''
  draw(0)
  dialog.showModal()
}

async function load() {
  try {
    index = await (await fetch('/docs/search.json')).json()
    hint = 'Type what you look for: a command, an error, a setting.'
  } catch {
    hint = 'The index could not be loaded. Close this, and try again in a moment.'
  }
  draw(0)
}

/** @type {(wanted: number) => void} */
function draw(wanted) {
  found = findParts(index, input.value)
  chosen = Math.max(0, Math.min(wanted, found.length - 1))
  list.replaceChildren(
    ...found.map((entry, at) => {
      const [, title, heading, begin] = entry
      return h(
        'li',
        {
          id: `search-${at}`,
          role: 'option',
          class: 'search-result',
          'aria-selected': String(at === chosen),
          onclick: () => open(entry),
        },
        h('span', { class: 'search-title' }, heading === title ? title : `${title}: ${heading}`),
        h('span', { class: 'search-detail' }, begin),
      )
    }),
  )
  list.hidden = found.length === 0
  const isBlank = index.length === 0 || input.value.trim() === ''
  state.textContent = found.length > 0 ? '' : isBlank ? hint : 'Nothing fits. Try fewer or shorter words.'
  state.hidden = found.length > 0
  input.setAttribute('aria-activedescendant', found.length === 0 ? '' : `search-${chosen}`)
  list.children[chosen]?.scrollIntoView({ block: 'nearest' })
}

/** @type {(entry: SearchEntry | undefined) => void} */
function open(entry) {
  if (entry === undefined) return
  dialog.close()
  location.assign(entry[0])
}
