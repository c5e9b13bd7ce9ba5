import { posix } from 'node:path'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { escapeHtml, highlighted } from './highlight.ts'

/** A heading with everything up to the next. */
interface Section {
  id: string
  heading: string
  depth: number
  html: string
}

export interface Rendered {
  title: string
  /** The first paragraph as text: what the page is about. */
  about: string
  /** The first is that of the page's title. */
  sections: Section[]
  /** Of the pictures that it shows, in the checkout. */
  pictures: string[]
}

/** Where a link leads on the site, if it leads anywhere there; `target` is a path of the checkout. */
export type Destination = (target: string) => string | undefined

/** Makes HTML of a Markdown file of this checkout. */
export function renderMarkdown(source: string, file: string, destination: Destination): Rendered {
  const pictures: string[] = []
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(source)
  marked.use({ renderer: rendererFor(file, destination, (picture) => pictures.push(picture)) })
  const ids = new Map<string, number>()
  const sections = splitAtHeadings(tokens).map(({ heading, tokens: own }): Section => {
    const inner = marked.Parser.parseInline(heading.tokens, marked.defaults)
    const words = textOf(inner)
    const id = uniqueId(words, ids)
    return {
      id,
      heading: words,
      depth: heading.depth,
      html: headingHtml(heading.depth, id, inner) + marked.parser(own),
    }
  })
  const [first] = sections
  if (first === undefined || first.depth !== 1) throw new Error(`${file} must begin with a title.`)
  const paragraph = tokens.find((token) => token.type === 'paragraph')
  return { title: first.heading, about: paragraph ? textOf(marked.parser([paragraph])) : '', sections, pictures }
}

/** What a reader sees of some HTML. */
export const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

function splitAtHeadings(tokens: readonly Token[]): { heading: Tokens.Heading; tokens: Token[] }[] {
  const sections: { heading: Tokens.Heading; tokens: Token[] }[] = []
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ heading: token as Tokens.Heading, tokens: [] })
    else sections.at(-1)?.tokens.push(token)
  }
  return sections
}

function headingHtml(depth: number, id: string, inner: string): string {
  if (depth === 1) return `<h1>${inner}</h1>\n`
  const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this part">#</a>`
  return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`
}

/** As the places where these files are read elsewhere make them, so that links with `#` hold in both. */
function uniqueId(heading: string, taken: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const count = taken.get(id) ?? 0
  taken.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

function rendererFor(file: string, destination: Destination, pictured: (file: string) => void): RendererObject {
  const resolve = (href: string): string | undefined => {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
    const [path = '', fragment] = href.split('#')
    const found = destination(posix.join(posix.dirname(file), path))
    return found && (fragment === undefined ? found : `${found}#${fragment}`)
  }
  return {
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      const to = resolve(href)
      // Files of the checkout that are not on the site keep their name and lead nowhere.
      return to === undefined ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
    },
    image({ href, text }) {
      const picture = posix.join(posix.dirname(file), href)
      pictured(picture)
      // Closed, it is not loaded: a page stays small for those who do not need its pictures.
      return (
        `<details class="picture"><summary>Picture: ${escapeHtml(text)}</summary>` +
        `<img src="/docs/images/${posix.basename(picture)}" alt="${escapeHtml(text)}" loading="lazy"></details>`
      )
    },
    paragraph({ tokens }) {
      const inner = this.parser.parseInline(tokens)
      return tokens.length === 1 && tokens[0]?.type === 'image' ? `${inner}\n` : `<p>${inner}</p>\n`
    },
    code({ text, lang }) {
      const [language = ''] = (lang ?? '').split(' ', 1)
      return `<pre class="code" tabindex="0"><code>${highlighted(text, language)}</code></pre>\n`
    },
    table(token) {
      const cells = (row: readonly Tokens.TableCell[], tag: string) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
      const isNamed = token.header.some(({ text }) => text !== '')
      const head = isNamed ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>` : ''
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
      return `<div class="table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`
    },
    // Comments are for whoever writes; other HTML is not used, and would be shown as it is.
    html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
  }
}
