import { addressOf, CONTENTS, type Elsewhere, type Entry, ERROR_PAGES, HOME, READING_ORDER } from './contents.ts'
import { escapeHtml } from './highlight.ts'
import type { Rendered } from './markdown.ts'

export interface Page {
  entry: Entry
  rendered: Rendered
}

/** The title and the first words of a page, by its entry. */
export type Lookup = (entry: Entry) => Pick<Rendered, 'title' | 'about'>

/** A whole page: readable as it comes, without its script. */
export function pageHtml({ entry, rendered }: Page, lookup: Lookup): string {
  const isHome = entry === HOME
  const title = isHome ? 'Petstore documentation' : `${rendered.title} – Petstore`
  const body = rendered.sections.map(({ html }) => html).join('')
  return `${head(title, rendered.about, isHome ? ['theme.js', 'docs/moved.js'] : ['theme.js'])}
  <body>
    <a class="skip-link" href="#content">Skip to content</a>
    <header class="top">
      <a class="brand" href="/docs/">
        <img src="/docs/assets/favicon.svg" alt="" width="26" height="26"><span>Petstore docs</span>
      </a>
      <div class="top-actions">
        <a class="top-link" href="/docs/animals/">API reference</a>
        <a class="top-link" href="/">Dashboard</a>
      </div>
    </header>
    <div class="page">
      <main class="content docs" id="content" tabindex="-1">
        <article class="article">
${body}${isHome ? cards(lookup) : neighbours(entry, lookup)}
        </article>
        ${isHome ? '' : onThisPage(rendered)}
      </main>
      <nav class="sidebar" id="sidebar" aria-label="Documentation">
${navigation(entry, lookup)}
      </nav>
    </div>
    <p class="visually-hidden" id="announcements" role="status"></p>
  </body>
</html>
`
}

/** What is answered where there is no page. */
export function lostHtml(): string {
  return `${head('Page not found – Petstore', 'There is no page here.', ['theme.js'])}
  <body>
    <main class="lost">
      <img src="/docs/assets/favicon.svg" alt="" width="56" height="56">
      <h1>There is no page here</h1>
      <p>The address may have a typing error, or the page has moved.</p>
      <p><a class="button is-primary" href="/docs/">Go to the documentation</a></p>
    </main>
  </body>
</html>
`
}

function head(title: string, about: string, scripts: readonly string[]): string {
  const asset = (name: string) => `/docs/assets/${name}`
  const styles = ['reference.css', 'frame.css', 'panels.css', 'docs/docs.css']
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${escapeHtml(about.slice(0, 200))}">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" type="image/svg+xml" href="${asset('favicon.svg')}">
    ${styles.map((name) => `<link rel="stylesheet" href="${asset(name)}">`).join('\n    ')}
    ${scripts.map((name) => `<script src="${asset(name)}"></script>`).join('\n    ')}
    <script type="module" src="${asset('docs/docs.js')}"></script>
  </head>`
}

function navigation(current: Entry, lookup: Lookup): string {
  const link = (entry: Entry | Elsewhere) => {
    const { href, title } = 'file' in entry ? { href: addressOf(entry), title: lookup(entry).title } : entry
    const mark = entry === current ? ' aria-current="page"' : ''
    return `<li><a class="nav-link" href="${href}"${mark}>${escapeHtml(title)}</a></li>`
  }
  const isError = current.path.startsWith('errors/')
  return CONTENTS.map(({ title, entries }) => {
    const links = entries.map((entry) => {
      const below = isError && 'path' in entry && entry.path === 'errors/' ? ERROR_PAGES.map(link).join('') : ''
      return link(entry) + (below === '' ? '' : `<li><ul class="nav-below">${below}</ul></li>`)
    })
    return `<div class="nav-group"><p class="nav-title">${title}</p><ul>${links.join('\n')}</ul></div>`
  }).join('\n')
}

function onThisPage({ sections }: Rendered): string {
  const parts = sections.filter(({ depth }) => depth === 2)
  if (parts.length < 2) return ''
  const links = parts.map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`)
  return `<nav class="parts" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
}

function neighbours(entry: Entry, lookup: Lookup): string {
  const at = READING_ORDER.indexOf(entry)
  const link = (to: Entry | undefined, word: string) =>
    to === undefined || at === -1
      ? '<span></span>'
      : `<a href="${addressOf(to)}"><small>${word}</small> ${escapeHtml(lookup(to).title)}</a>`
  const both = link(READING_ORDER[at - 1], 'Before') + link(READING_ORDER[at + 1], 'Next')
  return at === -1 ? '' : `<nav class="neighbours" aria-label="Pages before and after">${both}</nav>`
}

function cards(lookup: Lookup): string {
  return CONTENTS.map(({ title, entries }) => {
    const items = entries.map((entry) => {
      const shown = 'file' in entry ? { ...lookup(entry), href: addressOf(entry) } : entry
      const heading = `<h3><a href="${shown.href}">${escapeHtml(shown.title)}</a></h3>`
      return `<li class="card">${heading}<p>${escapeHtml(shortened(shown.about))}</p></li>`
    })
    return `<section><h2>${title}</h2><ul class="cards">${items.join('\n')}</ul></section>`
  }).join('\n')
}

/** To the end of the first sentence, or of the word that fits. */
function shortened(about: string): string {
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(about) ?? [about]
  if (sentence.length <= ABOUT_CHARACTERS_MAX) return sentence.replace(/:$/, '.')
  return `${sentence.slice(0, ABOUT_CHARACTERS_MAX).replace(/\s+\S*$/, '')} …`
}

const ABOUT_CHARACTERS_MAX = 160
