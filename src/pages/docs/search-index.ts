import { addressOf } from './contents.ts'
import { textOf } from './markdown.ts'
import type { Page } from './page.ts'

/** A part of a page: address, title of the page, heading, how it begins, and the other words in it, each once. */
export type SearchEntry = readonly [href: string, title: string, heading: string, begin: string, words: string]

/** Every part of every page. The words lose their order, which halves what is sent when somebody begins to search. */
export function searchIndex(pages: readonly Page[]): SearchEntry[] {
  return pages.flatMap(({ entry, rendered }) =>
    rendered.sections.map(({ id, heading, depth, html }): SearchEntry => {
      const href = depth === 1 ? addressOf(entry) : `${addressOf(entry)}#${id}`
      const text = textOf(html.replace(/^<h\d[^]*?<\/h\d>/, ''))
      const begin = text.slice(0, BEGIN_CHARACTERS).replace(/\s+\S*$/, '')
      const known = wordsOf(`${rendered.title} ${heading} ${begin}`)
      return [href, rendered.title, heading, begin, [...wordsOf(text).difference(known)].join(' ')]
    }),
  )
}

const BEGIN_CHARACTERS = 120

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
