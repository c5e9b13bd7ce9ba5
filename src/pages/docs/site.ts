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

/** The documentation as it is served: made of the Markdown files of this checkout, in some tenths of a second. */
export async function documentationFiles(headers: readonly string[]): Promise<MemoryFile[]> {
  const pages = await renderPages()
  const rendered = new Map(pages.map((page) => [page.entry, page.rendered]))
  const lookup = (entry: Entry) => {
    const { title, about } = rendered.get(entry) as Rendered
    return { title: entry.title ?? title, about }
  }
  const files: { path: string; bytes: Buffer }[] = []
  for (const page of pages) files.push({ path: fileOf(page.entry), bytes: Buffer.from(pageHtml(page, lookup)) })
  files.push({ path: '404.html', bytes: Buffer.from(lostHtml()) })
  files.push({ path: 'docs/search.json', bytes: Buffer.from(JSON.stringify(searchIndex(pages))) })
  for (const name of ASSETS) files.push({ path: `docs/assets/${name}`, bytes: await readAsset(name) })
  // A dependency of the dashboard's: where it is not installed, the font of the system takes its place.
  const font = await read(FONT).catch(() => undefined)
  if (font) files.push({ path: 'docs/assets/docs/inter.woff2', bytes: font })
  for (const picture of new Set(pages.flatMap(({ rendered }) => rendered.pictures))) {
    files.push({ path: `docs/images/${basename(picture)}`, bytes: await read(picture) })
  }
  const served: MemoryFile[] = []
  for (const { path, bytes } of files) {
    const content = { identity: bytes, ...(await precompress(bytes)) }
    served.push({ path, content, headers: path.endsWith('.html') ? headers : [] })
  }
  return served
}

/** Every page, with a turn for others after each: no request waits for all of them. */
export async function renderPages(): Promise<Page[]> {
  const addresses = new Map(PAGES.map((entry) => [entry.file, addressOf(entry)]))
  const destination = (target: string) => addresses.get(target) ?? SERVED_ELSEWHERE[target]
  const pages: Page[] = []
  for (const entry of PAGES) {
    const source = (await read(entry.file)).toString()
    pages.push({ entry, rendered: renderMarkdown(source, entry.file, destination) })
    await turn()
  }
  return pages
}

const read = (path: string) => readFile(new URL(path, ROOT))

const readAsset = async (name: string) => servedScript(name, await read(`reference/${name}`))

/** `/docs/ci` is served from `docs/ci.html`, `/docs/errors/` from `docs/errors/index.html`. */
const fileOf = ({ path }: Entry) => `docs/${path === '' || path.endsWith('/') ? `${path}index` : path}.html`
