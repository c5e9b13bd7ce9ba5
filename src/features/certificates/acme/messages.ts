import {
  array,
  boolean,
  object,
  oneOf,
  optional,
  refusals,
  type Schema,
  type Static,
  text,
} from '../../../platform/schema.ts'
import { readRetryAfter } from '../../../platform/http/wire/retry-after.ts'
import { AcmeError, type Subproblem } from './acme-error.ts'
import type { AcmeResponse } from './transport.ts'

const Url = text({ minLength: 1, maxLength: 2048 })
const Text = text({ maxLength: 4096 })

const Problem = object({
  type: optional(Text),
  detail: optional(Text),
  subproblems: optional(
    array(
      object({
        type: optional(Text),
        detail: optional(Text),
        identifier: optional(object({ value: Text })),
      }),
      { maxItems: 200 },
    ),
  ),
})

export const Directory = object({
  newNonce: Url,
  newAccount: Url,
  newOrder: Url,
  revokeCert: Url,
  renewalInfo: optional(Url),
  meta: optional(
    object({
      externalAccountRequired: optional(boolean()),
      /** By name; what each is for stands there for people. */
      profiles: optional(object({})),
    }),
  ),
})

export const OrderMessage = object({
  status: oneOf(['pending', 'ready', 'processing', 'valid', 'invalid']),
  expires: optional(Text),
  authorizations: array(Url, { maxItems: 200 }),
  finalize: Url,
  certificate: optional(Url),
  error: optional(Problem),
})

export const Authorization = object({
  status: oneOf(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: object({ value: Text }),
  challenges: array(
    object({
      type: Text,
      url: Url,
      status: Text,
      /** A token becomes part of a path that the edge answers: nothing but base64url gets that far. */
      token: optional(text({ pattern: '^[A-Za-z0-9_-]{1,256}$' })),
      error: optional(Problem),
    }),
    { maxItems: 50 },
  ),
})

export const ChallengeMessage = object({ status: Text })

export const RenewalInfo = object({ suggestedWindow: object({ start: Text, end: Text }) })

export type Directory = Static<typeof Directory>
export type OrderMessage = Static<typeof OrderMessage>
export type Authorization = Static<typeof Authorization>

/** The body of an answer that has to be of this shape. */
export function readMessage<Message>(response: AcmeResponse, schema: Schema<Message>): Message {
  const body = parseJson(response.body)
  if (refusals(schema, body).length === 0) return body as Message
  const type = response.headers['content-type'] ?? 'no content type'
  throw AcmeError.badResponse(
    `${response.url} answered ${response.status} with ${type}, which is not what ACME says; ` +
      'check the address of the ACME directory',
  )
}

/** The error that an answer with a status from 300 on stands for. */
export function readError(response: AcmeResponse, now: number): AcmeError {
  const { status, url } = response
  const retryAfterMs = readRetryAfter(response.headers['retry-after'], now)
  const body = parseJson(response.body)
  if (status < 400) return AcmeError.badResponse(`${url} answered ${status}; ACME addresses do not redirect`)
  const isProblem = refusals(Problem, body).length === 0
  const problem = isProblem ? readProblem(body as Static<typeof Problem>) : undefined
  if (problem === undefined || problem.type === 'about:blank') return bareError(url, status, retryAfterMs)
  return new AcmeError(status >= 500 ? 'unavailable' : 'refused', `${problem.type}: ${problem.detail}`, {
    status,
    retryAfterMs,
    ...problem,
  })
}

function bareError(url: string, status: number, retryAfterMs: number | undefined): AcmeError {
  const message = `${url} answered ${status}`
  if (status === 429) return new AcmeError('refused', message, { status, type: 'rateLimited', retryAfterMs })
  return new AcmeError(status >= 500 ? 'unavailable' : 'bad_response', message, { status, retryAfterMs })
}

export function readProblem(problem: Static<typeof Problem>) {
  return {
    type: shortType(problem.type),
    detail: problem.detail ?? 'the CA gave no details',
    subproblems: (problem.subproblems ?? []).map((each): Subproblem => ({
      type: shortType(each.type),
      detail: each.detail ?? '',
      hostname: each.identifier?.value,
    })),
  }
}

const shortType = (type = 'about:blank') => type.replace(/^urn:ietf:params:acme:error:/, '')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
