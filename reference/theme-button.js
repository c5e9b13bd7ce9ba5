import { h } from './dom.js'
import { icon } from './icons.js'

/** @type {Record<Theme, Theme>} */
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' }

/** `THEME_ITEM` and `chosenTheme` are those of theme.js, a classic script that has run before. */
export function themeButton() {
  let theme = chosenTheme()
  const button = h('button', { type: 'button', class: 'icon-button' })
  const draw = () => {
    button.replaceChildren(icon(theme))
    button.setAttribute('aria-label', `Theme: ${theme}`)
    button.title = `Theme: ${theme}`
  }
  button.addEventListener('click', () => {
    theme = NEXT_THEME[theme]
    document.documentElement.dataset.theme = theme
    try {
      localStorage.setItem(THEME_ITEM, theme)
    } catch {
      // Storage can be switched off; the choice then lasts until the page is left.
    }
    draw()
  })
  draw()
  return button
}
