import type { ErrorBody } from './types.ts'

export type ErrorCode = ErrorBody['code']

/** The service's refusal. Branch on `code`; show `message`. */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError'
  readonly code: ErrorCode
  readonly status: number
  /** For the service's logs. */
  readonly requestId: string | undefined
  /** How long the service asks to be left alone. */
  readonly retryAfterSeconds: number | undefined
  /** It may be done all the same: the service could not tell, because its database did not. */
  readonly isUnconfirmed: boolean

  constructor(body: ErrorBody, headers: Headers) {
    super(body.message)
    this.code = body.code
    this.status = body.status
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = retryAfterSeconds(headers)
    this.isUnconfirmed = headers.get('petstore-outcome') === 'unknown'
  }
}

/**
 * No whole answer came, in any try: the service could not be reached (`network`), took too long (`timeout`), or its
 * answer broke off (`cut`). `cause` has the last failure. Whether a write was done is not known. Only `onAnswer` sees
 * `aborted`, for a try that your own signal has ended: what is thrown then is the signal's reason.
 */
export class PetstoreConnectionError extends Error {
  override readonly name = 'PetstoreConnectionError'
  readonly reason: 'network' | 'timeout' | 'cut' | 'aborted'

  constructor(message: string, { reason, cause }: { reason: PetstoreConnectionError['reason']; cause: unknown }) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Something answered that is not Petstore: a proxy on the way, or whatever is at a wrong address. */
export class PetstoreAnswerError extends Error {
  override readonly name = 'PetstoreAnswerError'
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>) {
    const advice = status < 500 && status !== 429 ? 'check the base address' : 'try again in a moment'
    super(`Status ${status} came with something that is not how Petstore answers: ${advice}.`)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds(headers)
  }
}

/** Of seconds, or of a date, which is told by the clock of whoever answered. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  if (/^\d+$/.test(given)) return Number(given)
  const at = Date.parse(given)
  if (Number.isNaN(at)) return undefined
  const now = Date.parse(headers.get('date') ?? '')
  return Math.max(0, Math.ceil((at - (Number.isNaN(now) ? Date.now() : now)) / 1000))
}
