/**
 * Starts the first attempt, and the next one whenever an attempt fails or stays silent for `staggerMs`: one dead
 * server costs a moment instead of its whole timeout. Ends with the first usable result, or with all failures.
 */
export function firstUsable<T>(
  attempts: readonly (() => Promise<T>)[],
  isUsable: (result: T) => boolean,
  staggerMs = 250,
): Promise<{ usable: T | undefined; failed: T[] }> {
  return new Promise((resolve, reject) => {
    const failed: T[] = []
    let started = 0
    let waiting: NodeJS.Timeout | undefined
    const startNext = () => {
      clearTimeout(waiting)
      const attempt = attempts[started]
      if (attempt === undefined) return
      started += 1
      waiting = setTimeout(startNext, staggerMs)
      attempt().then((result) => {
        if (isUsable(result)) return finish(result)
        failed.push(result)
        if (failed.length === attempts.length) return finish(undefined)
        return startNext()
      }, reject)
    }
    const finish = (usable: T | undefined) => {
      clearTimeout(waiting)
      started = attempts.length
      resolve({ usable, failed })
    }
    if (attempts.length === 0) return finish(undefined)
    startNext()
  })
}
