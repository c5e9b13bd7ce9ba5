import type { Webhook, WebhookMessage } from '../../api/webhooks.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'

const OFF: Record<NonNullable<Webhook['offReason']>, string> = {
  person: 'Somebody has switched it off.',
  failing: 'It has taken nothing for three days, and was switched off.',
  gone: 'It has answered 410 Gone, and was switched off.',
  backlog: 'More than 100,000 events were waiting for it, and it was switched off.',
}

export const offText = ({ offReason }: Webhook) => (offReason === null ? '' : OFF[offReason])

export function WebhookState({ webhook: { state, lastFailedAt, lastDeliveredAt } }: { webhook: Webhook }) {
  if (state === 'off') return <Tag tone="red">off</Tag>
  const isFailing = lastFailedAt !== null && lastFailedAt > (lastDeliveredAt ?? '')
  return isFailing ? <Tag tone="warm">failing</Tag> : <Tag tone="green">on</Tag>
}

const TONES: Record<WebhookMessage['state'], Tone> = { waiting: 'warm', delivered: 'green', 'given up': 'red' }

export const MessageState = ({ message: { state } }: { message: WebhookMessage }) => (
  <Tag tone={TONES[state]}>{state}</Tag>
)
