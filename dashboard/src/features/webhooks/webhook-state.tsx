import type { Webhook, WebhookMessage } from '../../api/webhooks.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'

const OFF: Record<NonNullable<Webhook['offReason']>, string> = {
  person: 'Somebody has switched it off.',
  failing: 'It has taken nothing for three days, and was switched off.',
  gone: 'It has answered 410 Gone, and was switched off.',
  backlog: 'More than 100,000 events were waiting for it, and it was switched off.',
  secret_lost:
    'Its secret was lost with the master key of the service. Rotate the secret, and give the new one to the ' +
    'receiver: that switches the endpoint on.',
}

export function offText({ offReason }: Webhook): string {
  if (offReason === null) return ''
  const kept = `${OFF[offReason]} What waited for it is kept for two weeks, and sent when it is switched on again.`
  const meanwhile = offReason === 'secret_lost' ? 'is kept as well' : 'is not kept'
  return `${kept} What happens meanwhile ${meanwhile}.`
}

export function WebhookState({ webhook: { state, lastFailedAt, lastDeliveredAt } }: { webhook: Webhook }) {
  if (state === 'off') return <Tag tone="red">off</Tag>
  const isFailing = lastFailedAt !== null && lastFailedAt > (lastDeliveredAt ?? '')
  return isFailing ? <Tag tone="warm">failing</Tag> : <Tag tone="green">on</Tag>
}

const TONES: Record<WebhookMessage['state'], Tone> = { waiting: 'warm', delivered: 'green', 'given up': 'red' }

export const MessageState = ({ message: { state } }: { message: WebhookMessage }) => (
  <Tag tone={TONES[state]}>{state}</Tag>
)
