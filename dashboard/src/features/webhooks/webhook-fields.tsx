import { Checkbox, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { EventType } from '../../api/webhooks.ts'
import { EVENT_GROUPS } from './event-groups.ts'

export interface WebhookDraft {
  url: string
  name: string
  events: EventType[]
  environment: 'both' | 'production' | 'staging'
}

const ENVIRONMENTS = [
  { value: 'both', label: 'Production and staging' },
  { value: 'production', label: 'Production only' },
  { value: 'staging', label: 'Staging only' },
]

export const isComplete = ({ url, events }: WebhookDraft) => url.trim() !== '' && events.length > 0

/** What an endpoint is, for those who make one and those who change it. */
export function WebhookFields({ draft, set }: { draft: WebhookDraft; set(changes: Partial<WebhookDraft>): void }) {
  return (
    <>
      <TextInput
        label="URL"
        description="Events are sent there by POST, signed."
        placeholder="https://example.com/hooks"
        type="url"
        required
        maxLength={2000}
        data-autofocus
        value={draft.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Name"
        description="What listens there, so that you know later."
        placeholder="Stock list"
        maxLength={100}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label="Animals and orders of"
        data={ENVIRONMENTS}
        value={draft.environment}
        allowDeselect={false}
        onChange={(chosen) => set({ environment: (chosen ?? 'both') as WebhookDraft['environment'] })}
      />
      <Checkbox.Group label="Events" value={draft.events} onChange={(chosen) => set({ events: chosen as EventType[] })}>
        <Stack gap="sm" mt={6}>
          {EVENT_GROUPS.map(({ title, events }) => (
            <div key={title}>
              <Text size="sm" fw={550} mb={4}>
                {title}
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
                {events.map(({ type, words }) => (
                  <Checkbox key={type} value={type} label={words} description={type} />
                ))}
              </SimpleGrid>
            </div>
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  )
}
