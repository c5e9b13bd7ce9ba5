import { PetstoreAnswerError, PetstoreConnectionError, PetstoreError } from './errors.ts'
import { parseExact, stringifyExact } from './int64.ts'
import { patience, pause } from './pause.ts'
import type { ErrorBody } from './types.ts'

export interface TransportOptions {
  /** Sent as a bearer credential. */
  key?: string | undefined
  baseUrl: string
  /** For one try, its whole answer included; 30 seconds by default. Files that are sent may take as long as they do. */
  timeoutMs?: number | undefined
  /** Tries after the first; 3 by default. */
  retries?: number | undefined
  /** The longest that is waited where the service asks for it; beyond, its refusal is thrown. 60 seconds by default. */
  waitMsMax?: number | undefined
  /** Another implementation. */
  fetch?: typeof globalThis.fetch | undefined
  /** Called once for each deprecated operation in use; writes to the console by default. */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined
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
  method: string
  /** Relative to the base address. */
  path: string
  /** The same without ids, for hooks; made of the path where it is not given. */
  operation?: string | undefined
  body?: object | undefined
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
  /** Whether it is sent again after this failure; where that is safe for what can be sent twice, if not given. */
  mayRetry?: ((error: Failure) => boolean) | undefined
  /** Refusals that are none of the tries: it is sent again however many there are. */
  isWait?: ((error: Failure) => boolean) | undefined
  /** Instead of the client's own. */
  retries?: number | undefined
}

interface Answer {
  body: unknown
  headers: Headers
}

export type Failure = PetstoreError | PetstoreConnectionError | PetstoreAnswerError

export type Send = (request: Request) => Promise<Answer>

const FIRST_PAUSE_MS = 200
const PAUSE_MS_MAX = 5_000

/** Sends requests, tries again what may be tried again, and turns every failure into an error of its kind. */
export function createTransport({
  key,
  baseUrl,
  timeoutMs = 30_000,
  retries: retriesMax = 3,
  waitMsMax = 60_000,
  fetch = globalThis.fetch,
  onDeprecation = warn,
  onRequest,
  onAnswer,
}: TransportOptions): Send {
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('The key has a character that no header can carry: copy it again, without spaces.')
  }
  const warned = new Set<string>()

  return async (request) => {
    const { method, path, signal, retries = retriesMax, mayRetry = isSafelyRepeated, isWait } = request
    const url = baseUrl + path
    const operation = request.operation ?? `${method} ${path.split('?', 1)[0]}`.replace(/-?\d+$/, '{id}')
    let isUncertain = false
    let failures = 0
    for (let attempt = 1; ; attempt++) {
      const headers = headersOf(request, key)
      onRequest?.({ operation, url, attempt, headers })
      const startedAt = performance.now()
      const { response, outcome } = await exchange(url, request, headers)
      const error = outcome instanceof Error ? outcome : undefined
      // What an earlier try may have deleted is not there any more.
      const isDone = isUncertain && method === 'DELETE' && error instanceof PetstoreError && error.status === 404
      const isAborted = error instanceof PetstoreConnectionError && error.reason === 'aborted'
      if (error && !isWait?.(error)) failures++
      const again = error && !isDone && !isAborted && failures <= retries && mayRetry(error)
      const retryInMs = again ? pauseBefore(failures, error) : undefined
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
      if (isAborted) throw error.cause
      if (isDone) return { body: undefined, headers: new Headers() }
      if (retryInMs === undefined) throw error
      isUncertain ||= !(error instanceof PetstoreError) || error.isUnconfirmed
      await pause(retryInMs, signal)
    }
  }

  async function exchange(url: string, { method, body, signal }: Request, headers: Headers) {
    const isFile = body instanceof Blob
    const timeout = isFile ? undefined : patience(timeoutMs)
    let response: Response | undefined
    try {
      response = await fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        body: isFile ? body : body ? stringifyExact(body) : null,
        signal: signal && timeout ? AbortSignal.any([signal, timeout.signal]) : (signal ?? timeout?.signal ?? null),
      })
      return { response, outcome: await readAnswer(response) }
    } catch (cause) {
      if (signal?.aborted) return { response, outcome: aborted(signal.reason) }
      if (timeout?.signal.aborted) return { response, outcome: late(cause) }
      const isKnown = cause instanceof PetstoreAnswerError || cause instanceof PetstoreConnectionError
      return { response, outcome: isKnown ? cause : unreachable(cause) }
    } finally {
      timeout?.end()
    }
  }

  function late(cause: unknown): PetstoreConnectionError {
    return new PetstoreConnectionError(`Petstore did not answer within ${timeoutMs} ms.`, { reason: 'timeout', cause })
  }

  function unreachable(cause: unknown): PetstoreConnectionError {
    const where = /^https?:/.test(baseUrl) ? ` at ${baseUrl}` : ''
    const message = `Petstore could not be reached${where}. Check that it is running and that you are online.`
    return new PetstoreConnectionError(message, { reason: 'network', cause })
  }

  /** Growing, with full jitter, behind whatever the service asks for; undefined where that is too long. */
  function pauseBefore(failures: number, error: Failure): number | undefined {
    const asked = error instanceof PetstoreConnectionError ? 0 : (error.retryAfterSeconds ?? 0) * 1000
    if (asked > waitMsMax) return undefined
    return asked + Math.random() * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (failures - 1))
  }
}

function headersOf({ body, idempotencyKey, ifMatch }: Request, key: string | undefined): Headers {
  const headers = new Headers()
  if (key) headers.set('Authorization', `Bearer ${key}`)
  if (body) headers.set('Content-Type', body instanceof Blob ? 'application/octet-stream' : 'application/json')
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
  return headers
}

/** What the service said, or why it refused. Throws where it was not the service, or not all that it said. */
async function readAnswer(response: Response): Promise<Answer | PetstoreError> {
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

const aborted = (cause: unknown) =>
  new PetstoreConnectionError('The request was ended by its signal.', { reason: 'aborted', cause })

const cutShort = (cause: unknown) =>
  new PetstoreConnectionError("Petstore's answer broke off before its end.", { reason: 'cut', cause })

/** Asking again is safe: reads and changes say the same twice, and a create carries an idempotency key. */
function isSafelyRepeated(error: Failure): boolean {
  if (error instanceof PetstoreConnectionError) return true
  const { status } = error
  if (status === 429 || status === 502 || status === 503 || status === 504) return true
  // The first try of this create is still running; its answer is given once it is done.
  return error instanceof PetstoreError && status === 409 && error.retryAfterSeconds !== undefined
}

function warn({ operation, sunset }: DeprecationNotice): void {
  console.warn(`petstore: ${operation} is deprecated${sunset ? ` and will be removed on ${sunset}` : ''}.`)
}
