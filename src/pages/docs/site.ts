import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { precompress } from '../../features/deploys/files/encodings.ts'
import { servedScript } from '../../features/deploys/starter-site.ts'
import type { MemoryFile } from '../memory-site.ts'
import { addressOf, type Entry, PAGES } from './contents.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { lostHtml, type Page, pageHtml } from './page.ts'
import { searchIndex } from './search-index.ts'

const ROOT = new URL('../../../', import.meta.url)

/** What the pages share with the reference, and what they have beside it. */
const ASSETS = [
  'reference.css frame.css panels.css favicon.svg theme.js theme-button.js icons.js dom.js',
  'docs/docs.css docs/docs.js docs/moved.js docs/search.js docs/find.js',
].flatMap((names) => names.split(' '))

const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** Files that stand for an address elsewhere on this origin. */
const SERVED_ELSEWHERE: Record<string, string> = { 'openapi.json': '/v1/openapi.json' }

/** One page; of the others only how they begin is read, for what leads to them. */
export async function pageFile(entry: Entry, headers: readonly string[]): Promise<MemoryFile> {
  const begins = new Map<Entry, Rendered>()
  for (const each of PAGES) begins.set(each, rendered(each, beginningOf(await source(each))))
  const page = { entry, rendered: rendered(entry, await source(entry)) }
  const html = pageHtml(page, (other) => {
    const { title, about } = begins.get(other) as Rendered
    return { title: other.title ?? title, about }
  })
  return { ...(await served(fileOf(entry), Buffer.from(html))), headers }
}

export async function searchFile(): Promise<MemoryFile> {
  return served('docs/search.json', Buffer.from(JSON.stringify(searchIndex(await renderPages()))))
}

/** Every page, with a turn for others after each: no request waits for all of them. */
export async function renderPages(): Promise<Page[]> {
  const pages: Page[] = []
  for (const entry of PAGES) {
    pages.push({ entry, rendered: rendered(entry, await source(entry)) })
    await turn()
  }
  return pages
}

/** Those that some page shows. */
export async function pictureFiles(): Promise<MemoryFile[]> {
  const pictures = new Set((await renderPages()).flatMap((page) => page.rendered.pictures))
  return Promise.all([...pictures].map(async (path) => served(`docs/images/${basename(path)}`, await read(path))))
}

/** Styles, scripts and typeface of all pages, and the page that says that there is none. */
export async function sharedFiles(headers: readonly string[]): Promise<MemoryFile[]> {
  const files = [{ ...(await served('404.html', Buffer.from(lostHtml()))), headers }]
  for (const name of ASSETS) {
    const bytes = servedScript(name, await read(`reference/${name}`))
    files.push({ ...(await served(`docs/assets/${name}`, bytes)), headers: [] })
  }
  // A dependency of the dashboard's: where it is not installed, the font of the system takes its place.
  const font = await read(FONT).catch(() => undefined)
  if (font) files.push({ ...(await served('docs/assets/docs/inter.woff2', font)), headers: [] })
  return files
}

const read = (path: string) => readFile(new URL(path, ROOT))

const source = async ({ file }: Entry) => (await read(file)).toString()

/** The title and the first paragraph. */
const beginningOf = (markdown: string) => /^# .+\n\n(?:.+\n)+/.exec(markdown)?.[0] ?? markdown

const rendered = ({ file }: Entry, markdown: string) => renderMarkdown(markdown, file, destination)

const addresses = new Map(PAGES.map((entry) => [entry.file, addressOf(entry)]))
const destination = (target: string) => addresses.get(target) ?? SERVED_ELSEWHERE[target]

const served = async (path: string, bytes: Buffer): Promise<MemoryFile> => ({
  path,
  content: { identity: bytes, ...(await precompress(bytes)) },
})

/** `/docs/ci` is served from `docs/ci.html`, `/docs/errors/` from `docs/errors/index.html`. */
const fileOf = ({ path }: Entry) => `docs/${path === '' || path.endsWith('/') ? `${path}index` : path}.html`
