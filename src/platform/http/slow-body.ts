import type { IncomingMessage } from 'node:http'

/** Connections and HTTP/2 streams on which a body may take longer than the usual minute to arrive. */
const slow = new WeakSet<object>()

/**
 * For uploads: a hundred megabytes over a slow line take a while. Whoever reads the body must set its own limits, and
 * call what it gets back when it has read it.
 */
export function allowSlowBody(request: IncomingMessage & { stream?: object }): () => void {
  const connection = request.httpVersionMajor === 2 ? (request.stream as object) : request.socket
  slow.add(connection)
  return () => void slow.delete(connection)
}

export const mayBeSlow = (connection: object) => slow.has(connection)
