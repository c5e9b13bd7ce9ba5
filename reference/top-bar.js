/**
 * @import { Api } from './document.js'
 * @import { Session } from './session.js'
 */
import { h, pageElement } from './dom.js'
import { icon } from './icons.js'
import { themeButton } from './theme-button.js'
import { waysBack } from './ways-back.js'

/**
 * Name, search, environment, key and theme: what is in reach from everywhere.
 *
 * @param {HTMLElement} top
 * @param {Api} api
 * @param {{ session: Session, openKeyDialog: () => void, openSearch: () => void }} parts
 */
export function drawTopBar(top, api, { session, openKeyDialog, openSearch }) {
  const menu = h(
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
  menu.addEventListener('click', () => showMenu(menu, menu.getAttribute('aria-expanded') === 'false'))
  pageElement('sidebar').addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) showMenu(menu, false)
  })
  document.addEventListener('keydown', (event) => event.key === 'Escape' && showMenu(menu, false))
  pageElement('content').addEventListener('click', () => showMenu(menu, false))

  top.replaceChildren(
    menu,
    h(
      'a',
      { class: 'brand', href: '#overview', 'aria-label': `${api.title}: overview` },
      h('img', { src: new URL('./favicon.svg', import.meta.url).href, alt: '', width: 26, height: 26 }),
      h('span', {}, api.title),
    ),
    h(
      'button',
      { type: 'button', class: 'search-button', 'aria-label': 'Search the reference', onclick: openSearch },
      icon('search'),
      h('span', {}, 'Search'),
      h('kbd', {}, '/'),
    ),
    h(
      'div',
      { class: 'top-actions' },
      waysBack().map(({ href, text }) => h('a', { class: 'docs-link', href }, text)),
      session.servers.length > 1 ? environmentSwitch(session) : null,
      keyButton(session, openKeyDialog),
      themeButton(),
    ),
  )
}

/** @type {(menu: HTMLElement, isOpen: boolean) => void} */
function showMenu(menu, isOpen) {
  menu.setAttribute('aria-expanded', String(isOpen))
  document.body.classList.toggle('has-menu', isOpen)
}

/** @type {(session: Session) => HTMLElement} */
function environmentSwitch(session) {
  const name = 'environment'
  const options = session.servers.map((server, index) => {
    const input = h('input', {
      type: 'radio',
      name,
      id: `${name}-${index}`,
      class: 'visually-hidden',
      onchange: () => session.chooseServer(index),
    })
    session.follow(() => (input.checked = session.serverIndex() === index))
    return [input, h('label', { for: `${name}-${index}` }, server.label)]
  })
  return h('fieldset', { class: 'switch' }, h('legend', { class: 'visually-hidden' }, 'Environment'), options)
}

/** @type {(session: Session, openKeyDialog: () => void) => HTMLElement} */
function keyButton(session, openKeyDialog) {
  const { title, called } = session.access
  const text = h('span', {})
  const button = h(
    'button',
    { type: 'button', class: 'button is-small key-button', onclick: openKeyDialog },
    icon('key'),
    text,
  )
  session.follow(() => {
    const hasKey = session.key() !== ''
    text.textContent = hasKey ? `${title.split(' ').at(-1)} set` : title
    button.setAttribute('aria-label', hasKey ? `Change the ${called.split(' ').slice(1).join(' ')}` : `Add ${called}`)
    button.classList.toggle('is-done', hasKey)
  })
  return button
}
