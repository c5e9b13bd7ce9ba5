import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../errors.ts'
import { integer, object, oneOf, text } from '../../schema.ts'
import type { Reference } from './components.ts'
import { jsonContent, type Responses } from './format.ts'
import { headersOf } from './headers.ts'

const ErrorSchema = object(
  {
    code: oneOf(ERROR_CODES, { description: 'Machine-readable error code.' }),
    message: text({ description: 'Human-readable description.' }),
    status: integer({ description: 'The HTTP status code.' }),
  },
  { $id: 'Error', description: 'Every error response has exactly these fields.' },
)

const ERROR_TEXT: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'The request is missing required fields or contains invalid values.',
  unauthorized: 'Missing or invalid API key.',
  forbidden: 'The API key lacks the scope that this operation needs.',
  not_found: 'The requested resource could not be found.',
  conflict: 'The request does not fit the present state; the message says why.',
  gone: 'The operation has been removed.',
  precondition_failed: 'What is there is not what `If-Match` names any more; nothing was changed.',
  payload_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'The body is not `application/json`.',
  idempotency_mismatch: 'The idempotency key was used with another request.',
  rate_limited: 'Too many requests; wait as long as `Retry-After` says.',
  internal_error: 'Something went wrong on the server.',
  unavailable: 'The service is overloaded or its storage is away; wait as long as `Retry-After` says.',
}

type ErrorHeaders = Partial<Record<ErrorCode, Parameters<typeof headersOf>[0]>>

/** One response for each status; `words` for what an interface says otherwise. */
export function errorResponses(
  codes: Iterable<ErrorCode>,
  reference: Reference,
  headersOfError: ErrorHeaders,
  words: typeof ERROR_TEXT = {},
): Responses {
  const responses = [...new Set(codes)].map((code) => {
    const status = ERROR_STATUS[code]
    const description = words[code] ?? ERROR_TEXT[code] ?? code
    const headers = ['X-Request-Id' as const, ...(headersOfError[code] ?? [])]
    const content = jsonContent(reference(ErrorSchema), { code, message: description, status })
    return [String(status), { description, headers: headersOf(headers), content }] as const
  })
  // Keys that are numbers stand in their order.
  return Object.fromEntries(responses)
}
