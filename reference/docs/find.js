/** @import { SearchEntry } from '../../src/pages/docs/search-index.ts' */

/**
 * The parts that have all of the words, as they are or as the beginning of a longer one; the best first.
 *
 * @type {(index: SearchEntry[], query: string) => SearchEntry[]}
 */
export function findParts(index, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  if (words.length === 0) return []
  return index
    .map((entry, at) => ({ entry, at, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, RESULTS_MAX)
    .map(({ entry }) => entry)
}

const RESULTS_MAX = 12

/** @type {(entry: SearchEntry, words: string[]) => number} */
function scoreOf([, title, heading, begin, others], words) {
  let score = 0
  for (const word of words) {
    const found =
      10 * rank(heading, word) + 6 * rank(title, word) + 2 * rank(begin, word) + (others.includes(word) ? 1 : 0)
    if (found === 0) return 0
    score += found
  }
  return score
}

/**
 * 2 for a whole word, 1 for the beginning of one.
 *
 * @type {(text: string, word: string) => number}
 */
function rank(text, word) {
  /** @type {string[]} */
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  if (words.includes(word)) return 2
  return words.some((each) => each.startsWith(word)) ? 1 : 0
}
