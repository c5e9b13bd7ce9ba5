import { h } from './dom.js'
import { isJson, jsonTokens, layOut } from './json-text.js'

/** @typedef {'json' | 'shell' | 'typescript' | 'python' | 'go'} Language */

/**
 * Code as spans with a class for each kind of token; JSON that is none stays text.
 *
 * @type {(text: string, language: Language) => (HTMLElement | string)[]}
 */
export function highlighted(text, language) {
  if (language === 'json') return isJson(text) ? layOut(jsonTokens(text)).map(toSpan) : [text]
  /** @type {(HTMLElement | string)[]} */
  const pieces = []
  let end = 0
  for (const match of text.matchAll(RULES[language])) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? []
    pieces.push(text.slice(end, match.index), toSpan({ kind, text: match[0] }))
    end = match.index + match[0].length
  }
  return [...pieces, text.slice(end)]
}

const STRING = String.raw`(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60)`
const NUMBER = String.raw`(?<number>\b\d[\d.]*\b)`

/** @type {(...words: string[]) => string} */
const keyword = (...words) => String.raw`(?<keyword>\b(?:${words.join('|')})\b)`
const TYPESCRIPT = keyword(
  'const',
  'await',
  'if',
  'throw',
  'new',
  'as',
  'type',
  'string',
  'number',
  'boolean',
  'unknown',
)
const PYTHON = keyword('import', 'from', 'with', 'as', 'try', 'except', 'raise', 'True', 'False', 'None')
const GO = keyword(
  'package',
  'import',
  'func',
  'type',
  'struct',
  'var',
  'if',
  'defer',
  'nil',
  'string',
  'int64',
  'bool',
)

const RULES = {
  shell: new RegExp(
    String.raw`${STRING}|(?<keyword>\bcurl\b|\bexport\b)|(?<key>(?<= )-{1,2}[A-Za-z]+)|(?<mark>\\$)`,
    'gm',
  ),
  typescript: new RegExp(String.raw`${STRING}|${TYPESCRIPT}|${NUMBER}|(?<key>\b[A-Za-z_$][\w$]*(?=\??:))`, 'g'),
  python: new RegExp(String.raw`(?<mark>#.*$)|${STRING}|${PYTHON}|${NUMBER}|(?<key>\b\w+(?==[^=\s]))`, 'gm'),
  go: new RegExp(String.raw`(?<mark>\/\/.*$)|${STRING}|${GO}|${NUMBER}`, 'gm'),
}

/** @type {(token: { kind: string, text: string }) => HTMLElement | string} */
function toSpan({ kind, text }) {
  return kind === 'space' ? text : h('span', { class: `token-${kind}` }, text)
}
