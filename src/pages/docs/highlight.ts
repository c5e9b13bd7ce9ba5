/** The text as HTML, with a span around each token that the language has; other languages stay plain. */
export function highlighted(code: string, language: string): string {
  const rule = RULES[language]
  if (rule === undefined) return escapeHtml(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(rule)) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? []
    html += `${escapeHtml(code.slice(end, match.index))}<span class="token-${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const STRING = String.raw`(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\]|\\.)*")`
const TEMPLATE = String.raw`(?<template>\x60(?:[^\x60\\]|\\.)*\x60)`
const HASH = String.raw`(?<mark>(?<=^|\s)#.*$)`
const NUMBER = String.raw`(?<number>\b\d[\d.]*\b)`
const words = (list: string) => String.raw`(?<keyword>\b(?:${list.replaceAll(' ', '|')})\b)`

const TYPESCRIPT = [
  String.raw`(?<mark>\/\/.*$|\/\*[^]*?\*\/)`,
  STRING,
  TEMPLATE,
  words(
    'import from export const let await async for of if else try catch throw new return function class extends ' +
      'interface type declare readonly instanceof typeof null undefined true false',
  ),
  NUMBER,
].join('|')

const RULES: Record<string, RegExp> = {
  sh: new RegExp(
    String.raw`${HASH}|${STRING}|(?<keyword>^(?:curl|export|npx|npm|node|tar|mkdir|echo)\b)|` +
      String.raw`(?<key>(?<= )-{1,2}[A-Za-z][\w-]*)`,
    'gm',
  ),
  ts: new RegExp(TYPESCRIPT, 'gm'),
  json: new RegExp(
    String.raw`(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|${STRING}|${NUMBER}|(?<literal>\btrue\b|\bfalse\b|\bnull\b)`,
    'gm',
  ),
  python: new RegExp(
    [
      HASH,
      STRING,
      words('import from as def return for in if else with print class try except None True False'),
      NUMBER,
    ].join('|'),
    'gm',
  ),
  yaml: new RegExp(String.raw`${HASH}|(?<key>^[ -]*[\w.-]+(?=:))|${STRING}`, 'gm'),
}
