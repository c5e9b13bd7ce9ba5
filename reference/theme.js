// A classic script in the head: it runs before the first paint, so a chosen theme never flashes.
const THEME_ITEM = 'petstore.reference.theme'

/** @typedef {'system' | 'light' | 'dark'} Theme */

/** @type {() => Theme} */
function chosenTheme() {
  try {
    const stored = localStorage.getItem(THEME_ITEM)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

document.documentElement.dataset.theme = chosenTheme()
