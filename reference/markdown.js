import { h } from './dom.js'

/** The part of Markdown that API descriptions use, as elements: paragraphs, lists, fences, code, emphasis, links. */
export function markdown(text) {
  const blocks = []
  const fences = text.split(/^```\w*\n([\s\S]*?)^```$/m)
  for (const [i, part] of fences.entries()) {
    if (i % 2 === 1) blocks.push(h('pre', { class: 'prose-code' }, h('code', {}, part.trimEnd())))
    else for (const block of part.split(/\n\s*\n/)) if (block.trim() !== '') blocks.push(toBlock(block.trim()))
  }
  return h('div', { class: 'prose' }, blocks)
}

export function inlineMarkdown(text) {
  return INLINE.reduce(
    (pieces, { pattern, build }) =>
      pieces.flatMap((piece) => (typeof piece === 'string' ? splitBy(piece, pattern, build) : piece)),
    [text],
  )
}

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
  const heading = /^#{1,6} (.*)$/.exec(block)
  if (heading !== null) return h('p', { class: 'prose-heading' }, inlineMarkdown(heading[1]))
  return h('p', {}, inlineMarkdown(lines.join(' ')))
}

const INLINE = [
  { pattern: /`([^`]+)`/, build: ([, code]) => h('code', {}, code) },
  { pattern: /\[([^\]]+)\]\(([^)\s]+)\)/, build: ([, text, href]) => (isSafe(href) ? h('a', { href }, text) : text) },
  { pattern: /\*\*([^*]+)\*\*/, build: ([, text]) => h('strong', {}, text) },
  { pattern: /\*([^*]+)\*/, build: ([, text]) => h('em', {}, text) },
]

function splitBy(text, pattern, build) {
  const match = pattern.exec(text)
  if (match === null) return [text]
  const rest = text.slice(match.index + match[0].length)
  return [text.slice(0, match.index), build(match), ...splitBy(rest, pattern, build)]
}

const isSafe = (href) => /^(https?:|mailto:|#|\/|\.)/i.test(href)
