// A classic script in the head: it runs before the first paint, so a chosen theme never flashes.
const THEME_ITEM = 'petstore.reference.theme'

function chosenTheme() {
  try {
    const stored = localStorage.getItem(THEME_ITEM)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function chooseTheme(theme) {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(THEME_ITEM, theme)
  } catch {
    // Storage can be switched off; the choice then lasts until the page is left.
  }
}

document.documentElement.dataset.theme = chosenTheme()
window.petstoreTheme = { chosenTheme, chooseTheme }
