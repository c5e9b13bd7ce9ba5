import type { ErrorBody } from './types.ts'

export type ErrorCode = ErrorBody['code']

/** The service's refusal. Branch on `code`; show `message`. */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError'
  readonly code: ErrorCode
  readonly status: number
  /** For the service's logs. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(body: ErrorBody, headers: Headers) {
    super(body.message)
    this.code = body.code
    this.status = body.status
    this.requestId = headers.get('x-request-id') ?? undefined
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isNaN(seconds) ? undefined : seconds
  }
}

/** No answer came: the network failed, or every try took too long. `cause` has the last failure. */
export class PetstoreConnectionError extends Error {
  override readonly name = 'PetstoreConnectionError'
}
