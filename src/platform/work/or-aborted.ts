export const ABORTED = Symbol('aborted')

/** Waits no longer than until the signal says so. The work itself may go on unheard, so it must change nothing. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | typeof ABORTED> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(ABORTED)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
