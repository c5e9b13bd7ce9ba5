import { copyButton, h, pageElement } from '../dom.js'
import { icon } from '../icons.js'
import { themeButton } from '../theme-button.js'

const top = document.querySelector('.top')
// The page for addresses that lead nowhere has none.
if (top !== null) {
  top.prepend(menuButton())
  top.querySelector('.brand')?.after(searchButton())
  top.querySelector('.top-actions')?.append(themeButton())
  pageElement('sidebar').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}
for (const code of document.querySelectorAll('.code')) addCopyButton(code)

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null
  const isAsked = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping)
  if (!isAsked) return
  event.preventDefault()
  void openSearch()
})

function searchButton() {
  return h(
    'button',
    {
      type: 'button',
      class: 'search-button',
      'aria-label': 'Search the documentation',
      onclick: () => void openSearch(),
    },
    icon('search'),
    h('span', {}, 'Search'),
    h('kbd', {}, '/'),
  )
}

/** Neither the dialog nor the index is loaded before somebody searches. */
async function openSearch() {
  const { showSearch } = await import('./search.js')
  showSearch()
}

function menuButton() {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'icon-button menu-button',
      'aria-label': 'Contents',
      'aria-expanded': 'false',
      'aria-controls': 'sidebar',
    },
    icon('menu'),
  )
  /** @type {(isOpen: boolean) => void} */
  const show = (isOpen) => {
    button.setAttribute('aria-expanded', String(isOpen))
    document.body.classList.toggle('has-menu', isOpen)
  }
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') === 'false'))
  document.addEventListener('keydown', (event) => event.key === 'Escape' && show(false))
  pageElement('content').addEventListener('click', () => show(false))
  return button
}

/** @type {(code: Element) => void} */
function addCopyButton(code) {
  const frame = h('div', { class: 'code-frame' })
  code.replaceWith(frame)
  frame.append(
    code,
    copyButton('Copy', () => code.textContent?.trimEnd() ?? ''),
  )
}
