import { shareBrowser } from '../browser.ts'

const { browser } = await shareBrowser()
const page = await browser.newPage()
console.log('open')
// Fails as soon as the browser is closed, and nobody is there who would end the process then.
await page.waitForEvent('popup', { timeout: 0 }).catch(() => undefined)
setInterval(() => {}, 1000)
