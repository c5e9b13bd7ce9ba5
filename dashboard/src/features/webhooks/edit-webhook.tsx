import { changeWebhook, type Webhook, webhooksKey } from '../../api/webhooks.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { isComplete, type WebhookDraft, WebhookFields } from './webhook-fields.tsx'

export default function EditWebhook({ webhook, opened, close }: { webhook: Webhook; opened: boolean; close(): void }) {
  const { slug } = useProject()
  const { id } = webhook
  const now = draftOf(webhook)
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Change the endpoint"
      action="Save"
      initial={now}
      isComplete={isComplete}
      send={async ({ url, name, ...chosen }) => {
        const changed = differing({ url: url.trim(), name: name.trim(), ...chosen }, now)
        await changeWebhook(slug, id, changed)
        return Object.fromEntries(Object.keys(changed).map((field) => [field, now[field as keyof WebhookDraft]]))
      }}
      sent={async (before) => {
        const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey(slug) })
        await refresh()
        sayWithUndo('The endpoint has been changed.', () => changeWebhook(slug, id, before).then(refresh))
      }}
    >
      {(draft, set) => <WebhookFields draft={draft} set={set} />}
    </FormDialog>
  )
}

const draftOf = ({ url, name, events, environment }: Webhook): WebhookDraft => ({
  url,
  name,
  events,
  environment: environment ?? 'both',
})

/** Only what somebody has changed: others may have changed the rest since, and it is theirs. */
function differing(draft: WebhookDraft, now: WebhookDraft): Partial<WebhookDraft> {
  const fields = Object.entries(draft).filter(
    ([field, value]) => String(value) !== String(now[field as keyof WebhookDraft]),
  )
  return Object.fromEntries(fields)
}
