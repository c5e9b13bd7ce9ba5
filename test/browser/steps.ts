import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** By the side bar, which hides behind a button on a phone. */
export async function goTo(page: Page, name: string): Promise<void> {
  const link = { name: new RegExp(`^${name}`) }
  await page.locator('#main').waitFor()
  const menu = page.getByRole('button', { name: 'Open the menu' })
  if (!(await menu.isVisible())) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', link).click()
    return
  }
  await menu.click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', link).click()
  await drawer.waitFor({ state: 'hidden' })
}

/** Opens a list of choices and takes one of them. */
export async function choose(
  page: Page,
  within: Page | Locator,
  label: string,
  option: string | RegExp,
): Promise<void> {
  const list = within.getByRole('combobox', { name: label })
  // The options of a list of the browser's own can be chosen, but not clicked.
  const isOwn = await list.evaluate((element) => (element as { tagName: string }).tagName === 'SELECT')
  if (isOwn) {
    const labels = await list.getByRole('option').allTextContents()
    await list.selectOption({
      label: labels.find((text) => (typeof option === 'string' ? text === option : option.test(text))) as string,
    })
    return
  }
  await list.click()
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click()
}

export async function chooseFromMenu(page: Page, button: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: typeof item === 'string' }).click()
}

/** Waits until a place shows these texts one after the other, as a person would. */
export async function shows(place: Locator, ...texts: RegExp[]): Promise<void> {
  const inOrder = new RegExp(texts.map((text) => text.source).join('.*'), `${texts[0]!.flags.replace('s', '')}s`)
  try {
    await place.filter({ hasText: inOrder }).first().waitFor()
  } catch {
    // Without another wait: the place itself may not be there.
    assert.match((await place.allInnerTexts())[0] ?? 'nothing', inOrder)
  }
}

export function overflows(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth')
}

/** Presses the arrow until an item of the open menu has the focus. */
export async function arrowTo(page: Page, item: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('ArrowDown')
    if (String(await page.evaluate('document.activeElement.textContent')) === item) return
    await page.waitForTimeout(50)
  }
  assert.fail(`${item} is not reached by the arrow`)
}

/** Presses Tab until something with this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    if (String(await page.evaluate(FOCUSED_NAME)).startsWith(name)) return
  }
  assert.fail(`${name} is not reached by Tab`)
}

const FOCUSED_NAME = `(() => {
  const { activeElement: focused } = document
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent
  return (label ?? focused.textContent).trim()
})()`
