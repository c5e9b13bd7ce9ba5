/** Where one bucket of the histogram ends and the next begins; the last one has no end. */
export const BOUNDS_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500] as const

/** The columns of the histogram: one for each bucket. */
export const BUCKETS = Array.from({ length: BOUNDS_MS.length + 1 }, (_, at) => `b${at}` as const)

export function bucketOf(durationMs: number): number {
  let bucket = 0
  while (bucket < BOUNDS_MS.length && durationMs > (BOUNDS_MS[bucket] as number)) bucket++
  return bucket
}

export interface Latency {
  p50: number | null
  p95: number | null
  p99: number | null
}

/** Milliseconds that this share of the requests was quicker than; null where there was none. */
export function latencyOf(counts: readonly number[]): Latency {
  return { p50: percentile(counts, 0.5), p95: percentile(counts, 0.95), p99: percentile(counts, 0.99) }
}

/** Evenly spread within a bucket, which is as exact as a bucket is narrow. In the last one: at least its beginning. */
function percentile(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share
  if (wanted === 0) return null
  let before = 0
  for (const [bucket, count] of counts.entries()) {
    if (count === 0 || before + count < wanted) {
      before += count
      continue
    }
    const from = BOUNDS_MS[bucket - 1] ?? 0
    const to = BOUNDS_MS[bucket] ?? from
    return Math.round((from + ((wanted - before) / count) * (to - from)) * 100) / 100
  }
  return BOUNDS_MS.at(-1) as number
}
