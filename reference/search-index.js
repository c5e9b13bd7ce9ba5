/**
 * @import { Api } from './document.js'
 * @typedef {ReturnType<typeof searchIndex>[number]} Entry
 */
import { enumValues } from './schema.js'

/**
 * Everything that can be found, with the words by which it is found; names weigh more than descriptions.
 *
 * @param {Api} api
 */
export function searchIndex(api) {
  const operations = api.operations.map((operation) => ({
    href: `#${operation.id}`,
    title: operation.summary,
    detail: operation.path,
    method: operation.method,
    strong: `${operation.summary} ${operation.id} ${operation.path} ${operation.method}`.toLowerCase(),
    weak: [operation.description, operation.stability, ...operation.parameters.map((parameter) => parameter.name)]
      .join(' ')
      .toLowerCase(),
  }))
  const schemas = api.schemas.map(({ name, schema }) => {
    const flat = api.resolve(schema)
    return {
      href: `#schema-${name}`,
      title: name,
      detail: flat.description ?? 'Schema',
      method: null,
      strong: name.toLowerCase(),
      weak: [flat.description, ...Object.keys(flat.properties ?? {}), ...enumValues(schema, api.resolve)]
        .join(' ')
        .toLowerCase(),
    }
  })
  const pages = ['Overview', 'Addresses', 'Authentication', 'Stability'].map((title) => ({
    href: `#${title.toLowerCase()}`,
    title,
    detail: 'Introduction',
    method: null,
    strong: title.toLowerCase(),
    weak: '',
  }))
  return [...operations, ...schemas, ...pages]
}

/**
 * Entries that hold every word, best first; all of them for an empty question.
 *
 * @type {(index: Entry[], question: string) => Entry[]}
 */
export function findEntries(index, question) {
  const words = question
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const scored = index.map((entry) => ({ entry, score: words.reduce((sum, word) => sum + wordScore(entry, word), 0) }))
  return scored
    .filter(({ entry }) => words.every((word) => wordScore(entry, word) > 0))
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** @type {(entry: Entry, word: string) => number} */
function wordScore(entry, word) {
  if (entry.title.toLowerCase() === word) return 8
  if (entry.title.toLowerCase().startsWith(word)) return 5
  if (entry.strong.includes(word)) return 3
  return entry.weak.includes(word) ? 1 : 0
}
