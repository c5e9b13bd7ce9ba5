import type { ErrorCode } from '../../../src/platform/errors.ts'

/** An answer that is no success, with the service's own sentence, or the lack of any answer. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'unreachable'
  /** 0 when there was no answer. */
  readonly status: number
  readonly requestId: string | null

  constructor(code: ErrorCode | 'unreachable', message: string, status: number, requestId: string | null = null) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.requestId = requestId
  }

  /** Whether the same request may succeed a moment later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export const unreachable = () =>
  new ApiError(
    'unreachable',
    'The service did not answer. Check that it is running and that you are online, then try again.',
    0,
  )

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
}
