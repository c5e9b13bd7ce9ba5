import { changeWebhook, type Webhook, webhooksKey } from '../../api/webhooks.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { isComplete, WebhookFields } from './webhook-fields.tsx'

export default function EditWebhook({ webhook, opened, close }: { webhook: Webhook; opened: boolean; close(): void }) {
  const { slug } = useProject()
  const { id, url, name, events, environment } = webhook
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Change the endpoint"
      action="Save"
      initial={{ url, name, events, environment: environment ?? ('both' as const) }}
      isComplete={isComplete}
      send={(draft) =>
        changeWebhook(slug, id, {
          url: draft.url.trim(),
          name: draft.name.trim(),
          events: draft.events,
          environment: draft.environment,
        })
      }
      sent={async () => {
        const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey(slug) })
        await refresh()
        close()
        sayWithUndo('The endpoint has been changed.', () =>
          changeWebhook(slug, id, { url, name, events, environment: environment ?? 'both' }).then(refresh),
        )
      }}
    >
      {(draft, set) => <WebhookFields draft={draft} set={set} />}
    </FormDialog>
  )
}
