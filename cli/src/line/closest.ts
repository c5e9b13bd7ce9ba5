/** The known word that a mistyped one most likely stands for: at most two letters away, or begun the same. */
export function closest(typed: string, known: readonly string[]): string | undefined {
  const near = known
    .map((word) => ({ word, distance: distanceBetween(typed, word) }))
    .filter(({ word, distance }) => distance <= 2 || (typed.length >= 3 && word.startsWith(typed)))
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.word
}

/** Levenshtein: inserted, dropped and changed letters. */
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const change = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
