import { copyButton, h } from './dom.js'
import { highlighted } from './highlight.js'

/**
 * @import { Language } from './highlight.js'
 * @typedef {{ label: string, language: Language, code: () => string }} CodeTab
 * @typedef {{ chosen: number, listeners: Set<() => void> }} TabMemory
 */

let panelCount = 0

/**
 * A panel of code with tabs, of which the chosen one is made. `draw()` makes it again, as things are now.
 * Choosing a language in one panel with the same `memory` chooses it in all.
 *
 * @param {{ title: string, tabs: CodeTab[], memory?: TabMemory }} options
 */
export function codePanel({ title, tabs, memory = { chosen: 0, listeners: new Set() } }) {
  panelCount += 1
  const id = `code-${panelCount}`
  const code = h('code', {})
  const pre = h('pre', { class: 'code', tabindex: 0, 'aria-label': `${title}: code` }, code)
  const tabList = h('div', { class: 'tabs', role: 'tablist', 'aria-label': title })
  const buttons = tabs.map((tab, index) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        class: 'tab',
        id: `${id}-tab-${index}`,
        'aria-controls': `${id}-code`,
        onclick: () => choose(index),
        onkeydown: (event) => moveFocus(event, index),
      },
      tab.label,
    ),
  )
  tabList.append(...buttons)
  const body = h('div', { id: `${id}-code`, role: 'tabpanel' }, pre)
  const element = h(
    'div',
    { class: 'panel code-panel', role: 'group', 'aria-label': title },
    h(
      'div',
      { class: 'panel-head' },
      h('p', { class: 'panel-title' }, title),
      tabList,
      copyButton(`Copy ${title.toLowerCase()}`, () => code.textContent),
    ),
    body,
  )

  /** @type {(index: number) => void} */
  function choose(index) {
    memory.chosen = index
    for (const listener of memory.listeners) listener()
  }

  /** @type {(event: KeyboardEvent, index: number) => void} */
  function moveFocus(event, index) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const next = (index + step + buttons.length) % buttons.length
    choose(next)
    buttons[next]?.focus()
  }

  function draw() {
    const index = Math.min(memory.chosen, tabs.length - 1)
    for (const [i, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(i === index))
      button.tabIndex = i === index ? 0 : -1
    }
    body.setAttribute('aria-labelledby', `${id}-tab-${index}`)
    const tab = tabs[index]
    code.replaceChildren(...(tab === undefined ? [] : highlighted(tab.code(), tab.language)))
  }
  memory.listeners.add(draw)
  draw()

  return { element, draw }
}
