import { PetstoreError } from '../errors.ts'

/** The contract's Error body: exactly these three fields. */
export function errorBody(error: PetstoreError): string {
  return JSON.stringify({ code: error.code, message: error.message, status: error.status })
}

const BUG = 'Something went wrong on our side. The request id in X-Request-Id helps us to find out what.'

/** Whatever was thrown, as something that may be shown: a bug keeps its details for the log. */
export function asPetstoreError(thrown: unknown): PetstoreError {
  if (thrown instanceof PetstoreError) return thrown
  const fromFastify = fastifyRefusal(thrown as { code?: string })
  return fromFastify ?? new PetstoreError('internal_error', BUG, { cause: thrown })
}

function fastifyRefusal({ code }: { code?: string }): PetstoreError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new PetstoreError('payload_too_large', 'The request body is larger than 64 KiB.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new PetstoreError(
        'unsupported_media_type',
        'The request body must be JSON: send Content-Type: application/json.',
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new PetstoreError('invalid_request', 'The request body is not as long as Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return new PetstoreError('not_found', 'There is nothing at this path: it is not valid percent-encoding.')
    default:
      return undefined
  }
}
