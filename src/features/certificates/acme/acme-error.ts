/**
 * `refused`: the CA said no, with a problem document. `unavailable`: it could not be reached, or answered 5xx.
 * `bad_response`: it answered with something that is not ACME.
 */
type AcmeErrorKind = 'refused' | 'unavailable' | 'bad_response'

export interface Subproblem {
  /** Without the `urn:ietf:params:acme:error:` prefix. */
  type: string
  detail: string
  hostname: string | undefined
}

interface AcmeErrorFields {
  status?: number
  type?: string
  detail?: string
  retryAfterMs?: number | undefined
  subproblems?: Subproblem[]
  cause?: unknown
}

export class AcmeError extends Error {
  readonly kind: AcmeErrorKind
  readonly status: number | undefined
  /** The problem type without its URN prefix, such as `badNonce`; undefined when there was no problem document. */
  readonly type: string | undefined
  readonly detail: string
  readonly retryAfterMs: number | undefined
  readonly subproblems: readonly Subproblem[]

  constructor(kind: AcmeErrorKind, message: string, fields: AcmeErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'AcmeError'
    this.kind = kind
    this.status = fields.status
    this.type = fields.type
    this.detail = fields.detail ?? message
    this.retryAfterMs = fields.retryAfterMs
    this.subproblems = fields.subproblems ?? []
  }

  static unavailable(message: string, cause?: unknown): AcmeError {
    return new AcmeError('unavailable', message, { cause })
  }

  static badResponse(message: string, cause?: unknown): AcmeError {
    return new AcmeError('bad_response', message, { cause })
  }
}

export const hasType = (error: unknown, ...types: string[]): error is AcmeError =>
  error instanceof AcmeError && error.type !== undefined && types.includes(error.type)
