import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { AcmeError, type Subproblem } from './acme-error.ts'
import { readRetryAfter } from './retry-after.ts'
import type { AcmeResponse } from './transport.ts'

const Url = Type.String({ minLength: 1, maxLength: 2048 })
const Text = Type.String({ maxLength: 4096 })

const Problem = Type.Object({
  type: Type.Optional(Text),
  detail: Type.Optional(Text),
  subproblems: Type.Optional(Type.Array(Type.Object({
    type: Type.Optional(Text),
    detail: Type.Optional(Text),
    identifier: Type.Optional(Type.Object({ value: Text })),
  }), { maxItems: 200 })),
})

export const Directory = Type.Object({
  newNonce: Url,
  newAccount: Url,
  newOrder: Url,
  revokeCert: Url,
  renewalInfo: Type.Optional(Url),
  meta: Type.Optional(Type.Object({
    externalAccountRequired: Type.Optional(Type.Boolean()),
    profiles: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  })),
})

export const OrderMessage = Type.Object({
  status: Type.Enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  expires: Type.Optional(Text),
  authorizations: Type.Array(Url, { maxItems: 200 }),
  finalize: Url,
  certificate: Type.Optional(Url),
  error: Type.Optional(Problem),
})

export const Authorization = Type.Object({
  status: Type.Enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: Type.Object({ value: Text }),
  challenges: Type.Array(Type.Object({
    type: Text,
    url: Url,
    status: Text,
    /** A token becomes part of a path that the edge answers: nothing but base64url gets that far. */
    token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$' })),
    error: Type.Optional(Problem),
  }), { maxItems: 50 }),
})

export const ChallengeMessage = Type.Object({ status: Text })

export const RenewalInfo = Type.Object({
  suggestedWindow: Type.Object({ start: Text, end: Text }),
  explanationURL: Type.Optional(Text),
})

export type Directory = Static<typeof Directory>
export type OrderMessage = Static<typeof OrderMessage>
export type Authorization = Static<typeof Authorization>

/** The body of an answer that has to be of this shape. */
export function readMessage<Schema extends TSchema>(response: AcmeResponse, schema: Schema): Static<Schema> {
  const body = parseJson(response.body)
  if (Value.Check(schema, body)) return body as Static<Schema>
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
  if (!Value.Check(Problem, body) || body.type === undefined) return bareError(url, status, retryAfterMs)
  const problem = readProblem(body)
  return new AcmeError(status >= 500 ? 'unavailable' : 'refused', `${problem.type}: ${problem.detail}`, {
    status,
    retryAfterMs,
    ...problem,
  })
}

function bareError(url: string, status: number, retryAfterMs: number | null): AcmeError {
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
      hostname: each.identifier?.value ?? null,
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
