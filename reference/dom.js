import { icon } from './icons.js'

/**
 * Builds an element: attributes by name, listeners as functions under `onclick` and the like, children in order.
 * Text is always text: nothing in the reference is ever parsed as markup.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** A button that puts text on the clipboard and says so for a moment. */
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

/** Tells people who listen to the page what those who look at it can see. */
export function announce(text) {
  document.getElementById('announcements').textContent = text
}
