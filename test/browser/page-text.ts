import type { Page } from 'playwright-core'

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
/** The one form of an exact time. */
const TIME = new RegExp(String.raw`\b${MONTH} \d{1,2}, \d{4}, \d\d:\d\d\b(?! ?[AP]M)`, 'g')
/** As the interface's own contract writes it. */
const SUNSET = '5 December 2030'
const OTHER_TIMES = [
  /\b\d{4}-\d\d-\d\d/,
  /\b\d{1,2}[./]\d{1,2}[./]\d{4}\b/,
  /(?<![:.\w])\d{1,2}:\d\d(?![:\w])/,
  new RegExp(String.raw`\b${MONTH}[a-z]* \d{1,2}\b|\b\d{1,2} ${MONTH}`),
]
/** One of something, told as if there were more, and no word that ends so by itself. */
const ONE_AS_MANY = /(?<![\d.,:#-])\b1 (?!(?:address|status|access|process|is|was|has|as|its|this|ms)\b)[a-z]+s\b/

/** Code and what people have typed is as it is; the marks below a chart are a form of their own. */
const READ = `(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('pre, code, textarea, .mono, .chart-times { visibility: hidden !important }')
  document.adoptedStyleSheets.push(sheet)
  const text = document.body.innerText
  document.adoptedStyleSheets.pop()
  return text
})()`

/** What a person reads on the page. */
export const linesOf = async (page: Page) => (await page.evaluate<string>(READ)).split('\n')

/** What a person who reads the page would stumble over. */
export async function oddTexts(page: Page): Promise<string[]> {
  return (await linesOf(page)).filter((line) => {
    const rest = line.replaceAll(TIME, '').replaceAll(SUNSET, '')
    return line.includes('`') || ONE_AS_MANY.test(line) || OTHER_TIMES.some((form) => form.test(rest))
  })
}
