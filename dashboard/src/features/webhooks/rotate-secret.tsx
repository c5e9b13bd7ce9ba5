import { Select, Text } from '@mantine/core'
import { rotateWebhook, type Webhook, webhooksKey } from '../../api/webhooks.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { secretOnce } from './secret-once.tsx'

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
]

/** A new secret; for a while both sign. */
export default function RotateSecret({ webhook, opened, close }: { webhook: Webhook; opened: boolean; close(): void }) {
  const { slug } = useProject()
  const isLost = webhook.offReason === 'secret_lost'
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Rotate the secret"
      action="Rotate secret"
      initial={{ overlapHours: '24' }}
      send={({ overlapHours }) => rotateWebhook(slug, webhook.id, Number(overlapHours))}
      secret={({ secret }) => secretOnce('The new secret', secret)}
      sent={() => queryClient.invalidateQueries({ queryKey: webhooksKey(slug) })}
    >
      {({ overlapHours }, set) =>
        isLost ? (
          <Text size="sm" c="dimmed">
            The old secret is lost and signs nothing any more. The endpoint is switched on with the new one, and is sent
            what waits for it: have the receiver ready to take it.
          </Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              Until the old secret ends, every event carries both signatures, and a receiver takes whichever it knows.
            </Text>
            <Select
              label="The old secret goes on signing for"
              data={OVERLAPS}
              value={overlapHours}
              allowDeselect={false}
              data-autofocus
              onChange={(chosen) => set({ overlapHours: chosen ?? '24' })}
            />
          </>
        )
      }
    </FormDialog>
  )
}
