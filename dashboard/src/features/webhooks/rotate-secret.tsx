import { Text } from '@mantine/core'
import { rotateWebhook, type Webhook, webhooksKey } from '../../api/webhooks.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { OVERLAP_DEFAULT, OverlapSelect } from '../../parts/overlap-select.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { secretOnce } from './secret-once.tsx'

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
      initial={{ overlapHours: OVERLAP_DEFAULT }}
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
            <OverlapSelect
              label="The old secret goes on signing for"
              hoursMax={168}
              value={overlapHours}
              choose={(chosen) => set({ overlapHours: chosen })}
            />
          </>
        )
      }
    </FormDialog>
  )
}
