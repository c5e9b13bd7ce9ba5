import type { ErrorCode } from '../../../src/platform/errors.ts'
import { ApiError, unreachable } from './api-error.ts'
import { parseJson, writeJson } from './exact-json.ts'

export const API = '/dashboard/api'

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal | undefined
}

export interface Page<Item> {
  items: Item[]
  /** Path of the next page; null on the last one. */
  next: string | null
}

/** One request to the dashboard API; `path` is below its address. */
export async function request<Value>(path: string, options: RequestOptions = {}): Promise<Value> {
  const { value } = await send(path, options)
  return value as Value
}

export async function requestPage<Item>(path: string, options: RequestOptions = {}): Promise<Page<Item>> {
  const { value, headers } = await send(path, options)
  return { items: value as Item[], next: nextPath(headers.get('Link')) }
}

async function send(path: string, { method = 'GET', body, signal }: RequestOptions) {
  let response: Response
  try {
    response = await fetch(API + path, {
      method,
      signal: signal ?? null,
      ...(method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' }, body: writeJson(body ?? {}) }),
    })
  } catch (error) {
    throw signal?.aborted ? error : unreachable()
  }
  const text = await response.text().catch(() => '')
  if (!response.ok) throw errorOf(response.status, text, response.headers.get('X-Request-Id'))
  return { value: text === '' ? undefined : parseJson(text), headers: response.headers }
}

/** From the body where it is one of ours; a proxy in between may answer otherwise. */
export function errorOf(status: number, text: string, requestId: string | null): ApiError {
  try {
    const { code, message } = JSON.parse(text) as { code: ErrorCode; message: string }
    if (typeof message === 'string') return new ApiError(code, message, status, requestId)
  } catch {
    // Said below.
  }
  return new ApiError(
    'internal_error',
    `The service answered with status ${status}. Try again in a moment.`,
    status,
    requestId,
  )
}

function nextPath(link: string | null): string | null {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  if (address === undefined) return null
  const { pathname, search } = new URL(address, location.origin)
  return pathname.slice(API.length) + search
}
