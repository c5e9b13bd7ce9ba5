/** What a timer can hold: it takes anything longer, such as Infinity, for nothing. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** Ends early, with its reason, when the signal is aborted. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, Math.min(delayMs, TIMER_MS_MAX))
    signal?.addEventListener('abort', finish, { once: true })
    if (signal?.aborted) finish()
    function finish() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}

const PARTS = 10

/**
 * Aborts when an answer has been waited for so long, and what had come until then was read. A stall of our own, because
 * the computer slept or others have its processor, counts as a tenth at most: timers run before what arrived meanwhile.
 */
export function patience(ms: number): { signal: AbortSignal; end: () => void } {
  const over = new AbortController()
  const part = Math.min(ms / PARTS, TIMER_MS_MAX)
  let left = PARTS
  let timer = setTimeout(pass, part)
  function pass() {
    if (left-- === 0) over.abort(new DOMException('The answer took too long.', 'TimeoutError'))
    else timer = setTimeout(pass, left === 0 ? 0 : part)
  }
  return { signal: over.signal, end: () => clearTimeout(timer) }
}
