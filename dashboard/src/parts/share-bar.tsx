import { Group, Progress, Text } from '@mantine/core'
import type { Share } from '../api/shares.ts'
import { numberText } from './count-text.ts'
import { sizeText } from './size-text.ts'

const NAMES: Record<Share['share'], { name: string; about: string }> = {
  storage: { name: 'Storage', about: 'The files of all deploys that are kept, each content once.' },
  animals: { name: 'Animals', about: 'Animals in both environments.' },
  orders: { name: 'Orders', about: 'Orders in both environments, ended ones too.' },
  uploads: { name: 'Uploads', about: 'Files and archives that are being sent right now.' },
  keys: { name: 'Keys', about: 'API keys that work, in both environments.' },
  webhooks: { name: 'Webhooks', about: 'Endpoints that events are sent to.' },
  domains: { name: 'Domains', about: 'Domains that are attached.' },
  changes: { name: 'Changes', about: 'What people change here; each change stands in the audit log.' },
  verify: { name: 'Adding and verifying', about: 'Domains added, and Verify or Re-verify chosen.' },
  dnsQuestions: { name: 'DNS questions', about: 'Packets to nameservers and resolvers.' },
  liveChecks: { name: 'Live checks', about: 'Live checks and troubleshooting.' },
}

const NEARLY_FULL = 0.8

/** How much of one share is used, as words and as a bar. */
export function ShareBar({ share }: { share: Share }) {
  const { name, about } = NAMES[share.share]
  const text = (amount: number) => (share.share === 'storage' ? sizeText(amount) : numberText(amount))
  const part = Math.min(1, share.used / share.limit)
  const refill = share.perMinute === null ? '' : ` ${numberText(share.perMinute)} come back every minute.`
  return (
    <div>
      <Group justify="space-between" gap={8} mb={4}>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="sm" className="number">
          {text(share.used)} of {text(share.limit)}
        </Text>
      </Group>
      <Progress
        value={part * 100}
        aria-label={`${name}: ${text(share.used)} of ${text(share.limit)}`}
        {...(part >= 1 ? { color: 'red' } : part >= NEARLY_FULL ? { color: 'yellow' } : {})}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {about}
        {refill}
      </Text>
    </div>
  )
}
