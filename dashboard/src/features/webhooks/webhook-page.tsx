import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { IconAlertTriangle, IconArrowLeft, IconSend } from '../../icons/icons.ts'
import {
  changeWebhook,
  removeWebhook,
  testWebhook,
  type Webhook,
  webhooksKey,
  webhooksQuery,
} from '../../api/webhooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { WaitingPage } from '../../parts/waiting.tsx'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { eventsText } from './event-groups.ts'
import { MessagesSection } from './messages-section.tsx'
import { offText, WebhookState } from './webhook-state.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const EditWebhook = lateDialog(() => import('./edit-webhook.tsx'))
const RotateSecret = lateDialog(() => import('./rotate-secret.tsx'))

export default function WebhookPage({ params }: { params: { webhook: string } }) {
  const { slug } = useProject()
  return (
    <QueryGuard query={useQuery(webhooksQuery(slug))} waiting={<WaitingPage />}>
      {(webhooks) => {
        const webhook = webhooks.find(({ id }) => id === params.webhook)
        return webhook ? <OneWebhook webhook={webhook} /> : <NotFoundPage />
      }}
    </QueryGuard>
  )
}

function OneWebhook({ webhook }: { webhook: Webhook }) {
  const project = useProject()
  const { slug } = project
  const { id, name, url, events, environment, state, offReason, oldSecretUntil } = webhook
  const leadOn = useLeadOn()
  const [editing, edit] = useDisclosure(false)
  const [rotating, rotation] = useDisclosure(false)
  const [removing, removal] = useDisclosure(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey(slug) })
  const test = useMutation({ mutationFn: () => testWebhook(slug, id), onSuccess: refresh })
  const turn = useMutation({
    mutationFn: () => changeWebhook(slug, id, { on: state === 'off' }),
    onSuccess: async (changed) => {
      await refresh()
      sayWithUndo(`The endpoint is ${changed.state} now.`, () =>
        changeWebhook(slug, id, { on: changed.state === 'off' }).then(refresh),
      )
    },
  })
  return (
    <Page
      title={name === '' ? url : name}
      above={
        <Anchor component={Link} href={`/projects/${slug}/webhooks`} size="sm" className="back-link">
          <IconArrowLeft size={14} aria-hidden="true" /> Webhooks
        </Anchor>
      }
      actions={
        mayEdit(project) && (
          <>
            {/* A new secret switches that one on, and nothing else does. */}
            {offReason !== 'secret_lost' && (
              <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
                {state === 'on' ? 'Switch off' : 'Switch on'}
              </Button>
            )}
            <Button
              leftSection={<IconSend size={16} />}
              disabled={state === 'off'}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              Send a test
            </Button>
          </>
        )
      }
    >
      <Refusal error={test.error ?? turn.error} />
      {state === 'off' && (
        <Alert className="notice is-warm" icon={<IconAlertTriangle size={20} />} title="This endpoint is switched off">
          {offText(webhook)}
        </Alert>
      )}
      <Section
        title="Endpoint"
        actions={
          mayEdit(project) && (
            <>
              <Button variant="default" size="xs" onClick={edit.open}>
                Change…
              </Button>
              <Button variant="default" size="xs" onClick={rotation.open}>
                Rotate secret…
              </Button>
              <Button variant="default" size="xs" color="red" onClick={removal.open}>
                Remove…
              </Button>
            </>
          )
        }
      >
        <Group gap="sm">
          <WebhookState webhook={webhook} />
          <Text size="sm" className="mono wrap-anywhere">
            {url}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" mt="xs">
          {eventsText(events)} · {environment ?? 'production and staging'}
          {oldSecretUntil !== null && (
            <>
              {' '}
              · older secrets end <TimeAgo at={oldSecretUntil} />
            </>
          )}
        </Text>
      </Section>
      <MessagesSection webhook={webhook} />
      <EditWebhook webhook={webhook} opened={editing} close={edit.close} />
      <RotateSecret webhook={webhook} opened={rotating} close={rotation.close} />
      <Confirm
        opened={removing}
        close={removal.close}
        title="Remove this endpoint?"
        action="Remove endpoint"
        send={() => removeWebhook(slug, id)}
        sent={() => {
          leadOn(`/projects/${slug}/webhooks`)
          const told = { message: 'The endpoint is removed: nothing more is sent there.' }
          void refresh().then(() => notifications.show(told))
        }}
      >
        <p>
          Nothing more is sent to it, what waits for it is thrown away, and so is the log. This cannot be taken back.
        </p>
      </Confirm>
    </Page>
  )
}
