import { exactJson } from '../faults/writers.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import type { Span } from './history.ts'

export type Tenant = 'production' | 'staging'
export const TENANTS: readonly Tenant[] = ['production', 'staging']

/** A client that has waited that long gives up: it does not know what became of its request. */
const PATIENCE_MS = 8000

export interface Answer extends Span {
  readonly status: number
  readonly body: unknown
  readonly text: string
  readonly next: string | undefined
}

export interface Question {
  readonly method?: string
  readonly body?: string
  readonly idempotencyKey?: string
  /** Instead of the tenant's first key. */
  readonly key?: string
}

/** The answer, or undefined when there was none, or not the whole of it. */
export async function ask(
  service: ServiceProcess,
  tenant: Tenant,
  path: string,
  { method = 'GET', body, idempotencyKey, key = service.keys[tenant] }: Question = {},
): Promise<Answer | undefined> {
  const port = tenant === 'production' ? service.productionPort : service.stagingPort
  const start = performance.now()
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      body: body ?? null,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    const next = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
    return { start, end: performance.now(), status: response.status, body: exactJson(text), text, next }
  } catch {
    // Refused, cut, or too late.
    return undefined
  }
}

export const saysNothingChanged = (answer: Answer) =>
  answer.status === 503 && answer.text.includes('Nothing was changed')
