import { iso } from '../../platform/iso-date.ts'
import type { Message } from '../../platform/outbox/messages.ts'
import { signatureOf } from './signature.ts'

type Told = Pick<Message, 'id' | 'type' | 'created_at' | 'environment' | 'data'>

/** The same bytes at every attempt. Integers of the data keep every digit. */
export function bodyOf({ type, created_at, environment, data }: Told): string {
  const head = JSON.stringify({ type, timestamp: iso(created_at), ...(environment === null ? {} : { environment }) })
  return `${head.slice(0, -1)},"data":${data}}`
}

/** What is sent beside it. */
export function headersOf(message: Told, body: string, secrets: readonly string[], now: number) {
  const timestamp = Math.floor(now / 1000)
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'petstore-webhooks/1',
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id: message.id, timestamp, body }),
  }
}
