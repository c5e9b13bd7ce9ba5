/** Ranks from 0, of which r comes with a share of 1/(r + 1): a few are everybody's, most are nearly nobody's. */
export function zipfRanks(ranks: number, count: number, random: () => number): number[] {
  const sums = new Float64Array(ranks)
  let sum = 0
  for (let rank = 0; rank < ranks; rank++) sums[rank] = sum += 1 / (rank + 1)
  return Array.from({ length: count }, () => {
    const wanted = random() * sum
    let low = 0
    for (let high = ranks - 1; low < high;) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return low
  })
}
