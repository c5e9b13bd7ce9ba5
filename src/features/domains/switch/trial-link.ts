import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

/** Long enough to show it to a colleague, and over before anybody comes to rely on it. */
export const TRIAL_LIFE_MS = 7 * DAY_MS

/** `try-`, the id, the minute in which it ends, the signature: 63 characters, which is all that a label may have. */
const TRIAL_LABEL = /^try-([0-9a-f]{32})([0-9a-f]{7})([0-9a-f]{20})$/
const DOMAIN_ID = /^dom_([A-Za-z0-9]{16})$/

/** Where a domain's site can be looked at before DNS leads here: `<label>.<platform host>`. */
export function trialLabel(secret: string, domainId: string, endsAt: number): string {
  const id = Buffer.from(DOMAIN_ID.exec(domainId)?.[1] as string).toString('hex')
  const minute = Math.floor(endsAt / MINUTE_MS)
    .toString(16)
    .padStart(7, '0')
  return `try-${id}${minute}${signatureOf(secret, id + minute)}`
}

/** The domain that a label stands for; undefined when it was not made here, or is over. */
export function readTrialLabel(
  secret: string,
  label: string,
  now: number,
): { domainId: string; endsAt: number } | undefined {
  const [, id, minute, signature] = TRIAL_LABEL.exec(label) ?? []
  if (id === undefined || minute === undefined || signature === undefined) return undefined
  const expected = signatureOf(secret, id + minute)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined
  const endsAt = Number.parseInt(minute, 16) * MINUTE_MS
  return endsAt <= now ? undefined : { domainId: `dom_${Buffer.from(id, 'hex').toString()}`, endsAt }
}

const signatureOf = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex').slice(0, 20)
