import { PetstoreConnectionError, PetstoreError } from './errors.ts'
import { parseExact, stringifyExact } from './int64.ts'
import type { ErrorBody } from './types.ts'

export interface TransportOptions {
  key: string
  baseUrl: string
  /** For one try; 30 seconds by default. */
  timeoutMs: number
  /** Tries after the first; 3 by default. */
  retries: number
  fetch: typeof globalThis.fetch
  onDeprecation(notice: DeprecationNotice): void
}

export interface DeprecationNotice {
  /** Method and path. */
  operation: string
  /** When the operation will be removed. */
  sunset: string | undefined
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address, or an absolute address that the service gave. */
  path: string
  body?: object | undefined
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Answer {
  body: unknown
  headers: Headers
}

export type Send = (request: Request) => Promise<Answer>

const FIRST_PAUSE_MS = 200
const PAUSE_MS_MAX = 5_000

/** Sends requests, tries again what may be tried again, and turns refusals into errors. */
export function createTransport(options: TransportOptions): Send {
  const warned = new Set<string>()

  return async (request) => {
    for (let tries = 0; ; tries++) {
      const outcome = await attempt(request).catch((error: unknown) => failed(error, request.signal))
      if (outcome instanceof Response) {
        warnOnce(outcome, request)
        const answer = await readAnswer(outcome)
        if (!(answer instanceof PetstoreError)) return answer
        if (tries >= options.retries || !mayRetry(answer)) throw answer
        await pause(tries, (answer.retryAfterSeconds ?? 0) * 1000, request.signal)
      } else {
        if (tries >= options.retries) throw outcome
        await pause(tries, 0, request.signal)
      }
    }
  }

  async function attempt({ method, path, body, idempotencyKey, signal }: Request): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${options.key}` }
    if (body) headers['Content-Type'] = 'application/json'
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey
    const timeout = AbortSignal.timeout(options.timeoutMs)
    return options.fetch(path.startsWith('/') ? options.baseUrl + path : path, {
      method,
      headers,
      body: body ? stringifyExact(body) : null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  }

  function warnOnce({ headers }: Response, { method, path }: Request): void {
    const operation = `${method} ${path.split('?', 1)[0]}`.replace(/\d+$/, '{id}')
    if (!headers.has('deprecation') || warned.has(operation)) return
    warned.add(operation)
    options.onDeprecation({ operation, sunset: headers.get('sunset') ?? undefined })
  }
}

/** What the service said, or why it refused. */
export async function readAnswer(response: Response): Promise<Answer | PetstoreError> {
  const { ok, headers } = response
  const text = await response.text()
  if (!ok) return new PetstoreError(errorBody(text, response), headers)
  return { body: text === '' ? undefined : parseExact(text), headers }
}

/** A proxy between us and the service may answer with something else than the service's own errors. */
function errorBody(text: string, { status }: Response): ErrorBody {
  try {
    const body = JSON.parse(text) as ErrorBody
    if (typeof body.code === 'string' && typeof body.message === 'string') return body
  } catch {
    // Not JSON: described below.
  }
  const code = status === 429 ? 'rate_limited' : status >= 500 ? 'unavailable' : 'invalid_request'
  const advice =
    code === 'invalid_request' ? 'That is not how Petstore answers: check the base address.' : 'Try again in a moment.'
  return { code, message: `The service answered with status ${status}. ${advice}`, status }
}

function failed(cause: unknown, signal: AbortSignal | undefined): PetstoreConnectionError {
  if (signal?.aborted) throw signal.reason
  return new PetstoreConnectionError('Petstore could not be reached.', { cause })
}

/** Asking again is safe: reads and changes say the same twice, and a create carries an idempotency key. */
function mayRetry({ status, retryAfterSeconds }: PetstoreError): boolean {
  if (status === 429 || status === 502 || status === 503 || status === 504) return true
  // The first try of this create is still running; its answer is given once it is done.
  return status === 409 && retryAfterSeconds !== undefined
}

/** Growing, with jitter, and never shorter than the service asks for. */
function pause(tries: number, atLeastMs: number, signal: AbortSignal | undefined): Promise<void> {
  const growing = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** tries)
  const delayMs = Math.max(atLeastMs, growing * Math.random())
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, delayMs)
    signal?.addEventListener('abort', finish, { once: true })
    function finish() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
