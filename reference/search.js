/**
 * @import { Api } from './document.js'
 * @import { Entry } from './search-index.js'
 */
import { methodBadge } from './badges.js'
import { h } from './dom.js'
import { icon } from './icons.js'
import { findEntries, searchIndex } from './search-index.js'

/**
 * The search dialog; opens with `/` or Ctrl+K as well. Returns the function that opens it.
 *
 * @type {(api: Api) => () => void}
 */
export function searchDialog(api) {
  const index = searchIndex(api)
  const input = h('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search operations, parameters, schemas',
    'aria-label': 'Search the reference',
    'aria-expanded': 'true',
    'aria-controls': 'search-results',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const list = h('ul', { id: 'search-results', class: 'search-results', role: 'listbox', 'aria-label': 'Results' })
  const dialog = h(
    'dialog',
    { class: 'dialog search-dialog', 'aria-label': 'Search' },
    h('div', { class: 'search-head' }, icon('search'), input),
    list,
  )
  document.body.append(dialog)
  let chosen = 0

  function draw() {
    const found = findEntries(index, input.value)
    chosen = Math.max(0, Math.min(chosen, found.length - 1))
    list.replaceChildren(
      ...found.map((entry, i) =>
        h(
          'li',
          {
            id: `search-${i}`,
            role: 'option',
            class: 'search-result',
            'aria-selected': String(i === chosen),
            onclick: () => open(entry),
          },
          h('span', { class: 'search-title' }, entry.title),
          h('span', { class: 'search-detail' }, entry.detail),
          entry.method === null ? null : methodBadge(entry.method),
        ),
      ),
    )
    if (found.length === 0) list.append(h('li', { class: 'search-none' }, 'Nothing fits. Try fewer or shorter words.'))
    input.setAttribute('aria-activedescendant', found.length === 0 ? '' : `search-${chosen}`)
    list.children[chosen]?.scrollIntoView({ block: 'nearest' })
    return found
  }

  /** @type {(entry: Entry) => void} */
  function open(entry) {
    dialog.close()
    location.hash = entry.href
  }

  input.addEventListener('input', () => {
    chosen = 0
    draw()
  })
  input.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      chosen += step
      draw()
    } else if (event.key === 'Enter') {
      const entry = draw()[chosen]
      if (entry !== undefined) open(entry)
    }
  })
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())

  const show = () => {
    input.value = ''
    chosen = 0
    draw()
    dialog.showModal()
  }
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null
    const isAsked = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping)
    if (!isAsked || dialog.open) return
    event.preventDefault()
    show()
  })
  return show
}
