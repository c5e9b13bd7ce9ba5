import { PetstoreAnswerError, PetstoreConnectionError, PetstoreError } from './errors.ts'
import { parseExact, stringifyExact } from './int64.ts'
import { pause } from './pause.ts'
import type { ErrorBody } from './types.ts'

export interface TransportOptions {
  key: string
  baseUrl: string
  /** For one try, its whole answer included; 30 seconds by default. */
  timeoutMs: number
  /** Tries after the first; 3 by default. */
  retries: number
  /** The longest that is waited where the service asks for it; beyond, its refusal is thrown. 60 seconds by default. */
  waitMsMax: number
  fetch: typeof globalThis.fetch
  onDeprecation(notice: DeprecationNotice): void
  /** Before every try. It may set headers, such as `traceparent`. */
  onRequest?: ((sent: SentRequest) => void) | undefined
  /** After every try, whatever came of it. */
  onAnswer?: ((ended: EndedRequest) => void) | undefined
}

export interface DeprecationNotice {
  /** Method and path. */
  operation: string
  /** When the operation will be removed. */
  sunset: string | undefined
}

export interface SentRequest {
  /** Method and path, without ids: `PATCH /pets/{id}`. */
  operation: string
  url: string
  /** 1 for the first try. */
  attempt: number
  headers: Headers
}

export interface EndedRequest {
  operation: string
  url: string
  attempt: number
  durationMs: number
  /** Undefined where no answer came. */
  status: number | undefined
  requestId: string | undefined
  /** Why this try failed. */
  error: Failure | undefined
  /** How long until the next try; undefined where there is none. */
  retryInMs: number | undefined
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address. */
  path: string
  body?: object | undefined
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Answer {
  body: unknown
  headers: Headers
}

type Failure = PetstoreError | PetstoreConnectionError | PetstoreAnswerError

export type Send = (request: Request) => Promise<Answer>

const FIRST_PAUSE_MS = 200
const PAUSE_MS_MAX = 5_000

/** Sends requests, tries again what may be tried again, and turns every failure into an error of its kind. */
export function createTransport(options: TransportOptions): Send {
  const { key, baseUrl, timeoutMs, retries, waitMsMax, fetch, onDeprecation, onRequest, onAnswer } = options
  const warned = new Set<string>()

  return async (request) => {
    const { method, path, signal } = request
    const url = baseUrl + path
    const operation = `${method} ${path.split('?', 1)[0]}`.replace(/-?\d+$/, '{id}')
    let isUncertain = false
    for (let attempt = 1; ; attempt++) {
      const headers = headersOf(request, key)
      onRequest?.({ operation, url, attempt, headers })
      const startedAt = performance.now()
      const { response, outcome } = await exchange(url, request, headers)
      const error = outcome instanceof Error ? outcome : undefined
      // What an earlier try may have deleted is not there any more.
      const isDone = isUncertain && method === 'DELETE' && error instanceof PetstoreError && error.status === 404
      const retryInMs = error && !isDone && attempt <= retries ? pauseBefore(attempt, error) : undefined
      onAnswer?.({
        operation,
        url,
        attempt,
        durationMs: performance.now() - startedAt,
        status: response?.status,
        requestId: response?.headers.get('x-request-id') ?? undefined,
        error,
        retryInMs,
      })
      if (response?.headers.has('deprecation') && !warned.has(operation)) {
        warned.add(operation)
        onDeprecation({ operation, sunset: response.headers.get('sunset') ?? undefined })
      }
      if (!error) return outcome as Answer
      if (isDone) return { body: undefined, headers: new Headers() }
      if (retryInMs === undefined) throw error
      isUncertain ||= !(error instanceof PetstoreError)
      await pause(retryInMs, signal)
    }
  }

  async function exchange(url: string, { method, body, signal }: Request, headers: Headers) {
    const timeout = AbortSignal.timeout(timeoutMs)
    let response: Response | undefined
    try {
      response = await fetch(url, {
        method,
        headers,
        body: body ? stringifyExact(body) : null,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      return { response, outcome: await readAnswer(response) }
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      if (cause instanceof PetstoreAnswerError || cause instanceof PetstoreConnectionError) {
        return { response, outcome: timeout.aborted ? late(cause) : cause }
      }
      return { response, outcome: timeout.aborted ? late(cause) : unreachable(cause) }
    }
  }

  function late(cause: unknown): PetstoreConnectionError {
    return new PetstoreConnectionError(`Petstore did not answer within ${timeoutMs} ms.`, { reason: 'timeout', cause })
  }

  function unreachable(cause: unknown): PetstoreConnectionError {
    return new PetstoreConnectionError(`Petstore could not be reached at ${baseUrl}.`, { reason: 'network', cause })
  }

  /** Growing, with full jitter, behind whatever the service asks for; undefined where another try is of no use. */
  function pauseBefore(attempt: number, error: Failure): number | undefined {
    if (!mayRetry(error)) return undefined
    const asked = error instanceof PetstoreConnectionError ? 0 : (error.retryAfterSeconds ?? 0) * 1000
    if (asked > waitMsMax) return undefined
    return asked + Math.random() * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempt - 1))
  }
}

function headersOf({ body, idempotencyKey, ifMatch }: Request, key: string): Headers {
  const headers = new Headers({ Authorization: `Bearer ${key}` })
  if (body) headers.set('Content-Type', 'application/json')
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey)
  if (ifMatch) headers.set('If-Match', ifMatch)
  return headers
}

/** What the service said, or why it refused. Throws where it was not the service, or not all that it said. */
export async function readAnswer(response: Response): Promise<Answer | PetstoreError> {
  const { ok, status, headers } = response
  const text = await response.text().catch((cause: unknown) => {
    throw cutShort(cause)
  })
  if (status === 204) return { body: undefined, headers }
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) throw new PetstoreAnswerError(response)
  const body = parsed(text)
  if (typeof body !== 'object' || body === null) throw new PetstoreAnswerError(response)
  if (ok) return { body, headers }
  const { code, message } = body as ErrorBody
  if (typeof code !== 'string' || typeof message !== 'string') throw new PetstoreAnswerError(response)
  return new PetstoreError({ code, message, status }, headers)
}

function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch (cause) {
    throw cutShort(cause)
  }
}

const cutShort = (cause: unknown) =>
  new PetstoreConnectionError("Petstore's answer broke off before its end.", { reason: 'cut', cause })

/** Asking again is safe: reads and changes say the same twice, and a create carries an idempotency key. */
function mayRetry(error: Failure): boolean {
  if (error instanceof PetstoreConnectionError) return true
  const { status } = error
  if (status === 429 || status === 502 || status === 503 || status === 504) return true
  // The first try of this create is still running; its answer is given once it is done.
  return error instanceof PetstoreError && status === 409 && error.retryAfterSeconds !== undefined
}
