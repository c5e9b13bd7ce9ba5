import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks: a secret is `whsec_` and the key's bytes in base64. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const mintSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export interface Signed {
  id: string
  /** Seconds. */
  timestamp: number
  body: string
}

/** `v1,…` for each secret, with a space between them: a receiver takes whichever it knows. */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
