/** @import { Child } from './dom.js' */
import { h } from './dom.js'

/**
 * The part of Markdown that API descriptions use, as elements: paragraphs, lists, fences, code, emphasis, links.
 *
 * @type {(text: string) => HTMLElement}
 */
export function markdown(text) {
  /** @type {HTMLElement[]} */
  const blocks = []
  const fences = text.split(/^```\w*\n([\s\S]*?)^```$/m)
  for (const [i, part] of fences.entries()) {
    if (i % 2 === 1) blocks.push(h('pre', { class: 'prose-code' }, h('code', {}, part.trimEnd())))
    else for (const block of part.split(/\n\s*\n/)) if (block.trim() !== '') blocks.push(toBlock(block.trim()))
  }
  return h('div', { class: 'prose' }, blocks)
}

/** @type {(text: string) => (HTMLElement | string)[]} */
export function inlineMarkdown(text) {
  return INLINE.reduce(
    (pieces, rule) => pieces.flatMap((piece) => (typeof piece === 'string' ? splitBy(piece, rule) : piece)),
    /** @type {(HTMLElement | string)[]} */ ([text]),
  )
}

/** @type {(block: string) => HTMLElement} */
function toBlock(block) {
  const lines = block.split('\n')
  if (lines.every((line) => /^\s*([-*]|\d+\.) |^ {2,}/.test(line))) {
    const items = block.split(/^\s*(?:[-*]|\d+\.) /m).filter((item) => item.trim() !== '')
    const tag = /^\s*\d/.test(block) ? 'ol' : 'ul'
    return h(
      tag,
      {},
      items.map((item) => h('li', {}, inlineMarkdown(item.replaceAll(/\s*\n\s*/g, ' ').trim()))),
    )
  }
  const [, heading] = /^#{1,6} (.*)$/.exec(block) ?? []
  if (heading !== undefined) return h('p', { class: 'prose-heading' }, inlineMarkdown(heading))
  return h('p', {}, inlineMarkdown(lines.join(' ')))
}

/**
 * What each pattern captures becomes an element: its text, and for a link the address.
 *
 * @typedef {{ pattern: RegExp, build: (text: string, href: string) => HTMLElement | string }} InlineRule
 * @type {InlineRule[]}
 */
const INLINE = [
  { pattern: /`([^`]+)`/, build: (code) => h('code', {}, code) },
  { pattern: /\[([^\]]+)\]\(([^)\s]+)\)/, build: (text, href) => (isSafe(href) ? h('a', { href }, text) : text) },
  { pattern: /\*\*([^*]+)\*\*/, build: (text) => h('strong', {}, text) },
  { pattern: /\*([^*]+)\*/, build: (text) => h('em', {}, text) },
]

/** @type {(text: string, rule: InlineRule) => (HTMLElement | string)[]} */
function splitBy(text, rule) {
  const match = rule.pattern.exec(text)
  if (match === null) return [text]
  const [whole, captured = '', href = ''] = match
  const rest = text.slice(match.index + whole.length)
  return [text.slice(0, match.index), rule.build(captured, href), ...splitBy(rest, rule)]
}

/** @type {(href: string) => boolean} */
const isSafe = (href) => /^(https?:|mailto:|#|\/|\.)/i.test(href)
