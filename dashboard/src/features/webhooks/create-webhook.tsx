import { createWebhook, webhooksKey } from '../../api/webhooks.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { ALL_EVENTS } from './event-groups.ts'
import { secretOnce } from './secret-once.tsx'
import { isComplete, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

interface CreateWebhookProps {
  opened: boolean
  close(): void
  /** Has the focus once the secret is stored. */
  opener: Opener
}

const NEW: WebhookDraft = { url: '', name: '', events: [...ALL_EVENTS], environment: 'both' }

export default function CreateWebhook({ opened, close, opener }: CreateWebhookProps) {
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
      secret={({ secret }) => secretOnce('The endpoint’s secret', secret, opener)}
      sent={() => queryClient.invalidateQueries({ queryKey: webhooksKey(slug) })}
    >
      {(draft, set) => <WebhookFields draft={draft} set={set} />}
    </FormDialog>
  )
}
