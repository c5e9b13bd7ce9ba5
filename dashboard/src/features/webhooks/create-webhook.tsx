import { createWebhook, type NewWebhook, webhooksKey } from '../../api/webhooks.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { ALL_EVENTS } from './event-groups.ts'
import { isComplete, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

interface CreateWebhookProps {
  opened: boolean
  close(): void
  show(minted: NewWebhook): void
}

const NEW: WebhookDraft = { url: '', name: '', events: [...ALL_EVENTS], environment: 'both' }

export default function CreateWebhook({ opened, close, show }: CreateWebhookProps) {
  const { slug } = useProject()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Add an endpoint"
      action="Add endpoint"
      initial={NEW}
      isComplete={isComplete}
      send={({ url, name, events, environment }) =>
        createWebhook(slug, {
          url: url.trim(),
          events,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(environment === 'both' ? {} : { environment }),
        })
      }
      sent={async (minted) => {
        await queryClient.invalidateQueries({ queryKey: webhooksKey(slug) })
        close()
        show(minted)
      }}
    >
      {(draft, set) => <WebhookFields draft={draft} set={set} />}
    </FormDialog>
  )
}
