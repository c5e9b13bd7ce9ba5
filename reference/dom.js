import { icon } from './icons.js'

/**
 * @typedef {Node | string | null | Child[]} Child
 * @typedef {{
 *   onclick?: (event: MouseEvent) => void,
 *   onkeydown?: (event: KeyboardEvent) => void,
 *   [name: string]: string | number | boolean | null | ((event: never) => void),
 * }} Attributes
 */

/**
 * Builds an element: attributes by name, listeners as functions under `onclick` and the like, children in order.
 * Text is always text: nothing in the reference is ever parsed as markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...nodesOf(children))
  return element
}

/** @type {(children: Child[]) => (Node | string)[]} */
function nodesOf(children) {
  return children.flatMap((child) => (child === null ? [] : Array.isArray(child) ? nodesOf(child) : child))
}

/**
 * What can be opened, drawn when it is: most of a long reference is never looked at.
 *
 * @type {(attributes: Attributes, summary: Child, body: () => Child) => HTMLElement}
 */
export function details(attributes, summary, body) {
  const element = h('details', attributes, h('summary', {}, summary))
  const drawBody = () => element.append(...nodesOf([body()]))
  // The event comes after the first picture of it, which has its body then.
  if (element.open) drawBody()
  else element.addEventListener('toggle', drawBody, { once: true })
  return element
}

/**
 * An element of index.html.
 *
 * @type {(id: string) => HTMLElement}
 */
export function pageElement(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no element #${id}.`)
  return element
}

/**
 * A button that puts text on the clipboard and says so for a moment.
 *
 * @type {(label: string, textOf: () => string) => HTMLElement}
 */
export function copyButton(label, textOf) {
  const button = h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label }, icon('copy'))
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(textOf())
    } catch {
      return
    }
    button.replaceChildren(icon('check'))
    button.classList.add('is-done')
    announce('Copied')
    setTimeout(() => {
      button.replaceChildren(icon('copy'))
      button.classList.remove('is-done')
    }, 1500)
  })
  return button
}

/**
 * Tells people who listen to the page what those who look at it can see.
 *
 * @type {(text: string) => void}
 */
export function announce(text) {
  pageElement('announcements').textContent = text
}
