/** A client that dawdles holds a connection for this long at most; others do not notice. */
export const HTTP_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
} as const

export type HttpTimeouts = Record<keyof typeof HTTP_TIMEOUTS, number>

export const HEADER_BYTES_MAX = 16 * 1024
/** Browsers behind proxies send about forty. */
export const HEADER_LINES_MAX = 200
