import { parseExact } from '../int64.ts'
import type { WebhookEvent } from './events.ts'

export type * from './events.ts'

/** The request did not come from the service, or too long ago: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** How far the time of the request may be from now, in seconds; 300 where it is not given. */
  toleranceSeconds?: number
  /** Milliseconds, for tests. */
  now?: () => number
}

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The event of a request, once its signature holds:
 * `await verifyWebhook(secret, request.headers, await request.text())`.
 * The body must be the bytes as they came. Several secrets may be given while one takes the place of another.
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: GivenHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError('The request lacks webhook-id, webhook-timestamp or webhook-signature.')
  }
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(now() / 1000 - seconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError('The request is too old, or a clock is wrong.')
  }
  const text = textOf(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const secret of [secrets].flat()) {
    const key = await importKey(secret)
    for (const signature of signatures.split(' ')) {
      // Web Crypto compares in constant time.
      const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parseExact(text) as WebhookEvent
    }
  }
  throw new WebhookVerificationError('The signature does not fit: the secret is another one, or the body was changed.')
}

/** Whoever sends no text is not the service, and must not end whoever listens. */
function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new WebhookVerificationError('The body is no UTF-8, as every body of the service is.')
  }
}

function headerOf(headers: GivenHeaders, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined
  const given = (headers as Record<string, string | readonly string[] | undefined>)[name]
  return typeof given === 'string' ? given : given?.[0]
}

async function importKey(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret begins with whsec_, and base64 follows.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Undefined where it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
