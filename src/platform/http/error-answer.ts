import { PetstoreError } from '../errors.ts'

/** The contract's Error body: exactly these three fields. */
export function errorBody(error: PetstoreError): string {
  return JSON.stringify({ code: error.code, message: error.message, status: error.status })
}

const BUG = 'Something went wrong on our side. The request id in X-Request-Id helps us to find out what.'

/** Whatever was thrown, as something that may be shown: a bug keeps its details for the log. */
export function asPetstoreError(thrown: unknown): PetstoreError {
  if (thrown instanceof PetstoreError) return thrown
  return new PetstoreError('internal_error', BUG, { cause: thrown })
}
