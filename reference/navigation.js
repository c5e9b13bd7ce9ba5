/**
 * @import { Api, Group, Tag } from './document.js'
 * @import { Child } from './dom.js'
 */
import { methodBadge } from './badges.js'
import { h } from './dom.js'
import { waysBack } from './ways-back.js'

/**
 * Fills the side bar and keeps the entry of the section in view marked.
 *
 * @type {(sidebar: HTMLElement, api: Api) => void}
 */
export function drawNavigation(sidebar, api) {
  const ways = waysBack()
  const back =
    ways.length === 0
      ? []
      : [
          navGroup(
            'Petstore',
            ways.map(({ href, text }) => entry(href, text)),
          ),
        ]
  back[0]?.classList.add('nav-back')
  sidebar.replaceChildren(
    ...back,
    navGroup('Introduction', [
      entry('#overview', 'Overview'),
      entry('#addresses', 'Addresses'),
      entry('#authentication', 'Authentication'),
      entry('#stability', 'Stability'),
    ]),
    ...api.groups.map((group) =>
      h(
        'div',
        { class: 'nav-group' },
        h('p', { class: 'nav-title' }, h('a', { href: `#${groupId(group)}` }, group.name)),
        group.tags.map((tag) => [
          tag.name === group.name ? null : h('p', { class: 'nav-tag' }, h('a', { href: `#${tagId(tag)}` }, tag.name)),
          h(
            'ul',
            {},
            tag.operations.map((operation) =>
              entry(
                `#${operation.id}`,
                h(
                  'span',
                  { class: `nav-text${operation.deprecation === null ? '' : ' is-deprecated'}` },
                  operation.summary,
                ),
                operation.stability === 'stable'
                  ? null
                  : h(
                      'span',
                      { class: `nav-dot is-${operation.stability}`, title: operation.stability },
                      h('span', { class: 'visually-hidden' }, operation.stability),
                    ),
                methodBadge(operation.method),
              ),
            ),
          ),
        ]),
      ),
    ),
    navGroup(
      'Schemas',
      api.schemas.map(({ name }) => entry(`#schema-${name}`, h('span', { class: 'nav-text' }, name))),
    ),
  )
  followScroll(sidebar)
}

/** @type {(group: Group) => string} */
export const groupId = (group) => `group-${group.name.toLowerCase().replaceAll(/\W+/g, '-')}`
/** @type {(tag: Tag) => string} */
export const tagId = (tag) => `tag-${tag.name.toLowerCase().replaceAll(/\W+/g, '-')}`

/** @type {(href: string, ...content: Child[]) => HTMLElement} */
function entry(href, ...content) {
  return h('li', {}, h('a', { class: 'nav-link', href }, content))
}

/** @type {(title: string, entries: HTMLElement[]) => HTMLElement} */
function navGroup(title, entries) {
  return h('div', { class: 'nav-group' }, h('p', { class: 'nav-title' }, title), h('ul', {}, entries))
}

/** @type {(sidebar: HTMLElement) => void} */
function followScroll(sidebar) {
  const links = new Map(
    [...sidebar.querySelectorAll('a.nav-link')].map((link) => [link.getAttribute('href')?.slice(1) ?? '', link]),
  )
  const sections = [...links.keys()].map((id) => document.getElementById(id)).filter((section) => section !== null)
  const mark = () => {
    const tops = sections.map((section) => ({ section, top: section.getBoundingClientRect().top }))
    const passed = tops.filter(({ top }) => top < 140)
    const current = (passed.toSorted((one, other) => other.top - one.top)[0] ?? tops[0])?.section
    for (const [id, link] of links) {
      const isCurrent = id === current?.id
      if (isCurrent === link.hasAttribute('aria-current')) continue
      if (!isCurrent) {
        link.removeAttribute('aria-current')
        continue
      }
      link.setAttribute('aria-current', 'true')
      const { top, bottom } = link.getBoundingClientRect()
      if (top < 80 || bottom > window.innerHeight) sidebar.scrollTop += top - window.innerHeight / 2
    }
  }
  let isDue = false
  window.addEventListener(
    'scroll',
    () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}
