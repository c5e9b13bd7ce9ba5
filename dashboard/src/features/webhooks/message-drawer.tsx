import { Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WebhookMessageDetails } from '../../../../client/src/platform/platform.ts'
import { messageQuery, resendMessage, type Webhook, type WebhookAttempt, webhooksKey } from '../../api/webhooks.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { MessageState } from './webhook-state.tsx'

interface MessageDrawerProps {
  webhook: Webhook
  /** Undefined while nothing is shown. */
  id: string | undefined
  opened: boolean
  close(): void
}

/** One message: its body, and every attempt to deliver it. */
export default function MessageDrawer({ webhook, id, opened, close }: MessageDrawerProps) {
  const { slug } = useProject()
  const message = useQuery({ ...messageQuery(slug, webhook.id, id ?? ''), enabled: id !== undefined })
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size="lg"
      title="Delivery"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryGuard query={message} waiting={<WaitingLines lines={6} />}>
        {(shown) => <Delivery key={shown.id} webhook={webhook} shown={shown} />}
      </QueryGuard>
    </Drawer>
  )
}

/** Lives as long as its message is shown: what was refused about one is not said about the next. */
function Delivery({ webhook, shown }: { webhook: Webhook; shown: WebhookMessageDetails }) {
  const project = useProject()
  const again = useMutation({
    mutationFn: () => resendMessage(project.slug, webhook.id, shown.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey(project.slug) }),
  })
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Text className="mono">{shown.type}</Text>
          <MessageState message={shown} />
        </Group>
        {mayEdit(project) && (
          <Button
            variant="default"
            size="xs"
            disabled={webhook.state === 'off' || shown.state === 'waiting'}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            Send again
          </Button>
        )}
      </Group>
      <Refusal error={again.error} />
      {shown.nextAttemptAt !== null && (
        <Text size="sm" c="dimmed">
          The next attempt is <TimeAgo at={shown.nextAttemptAt} />.
        </Text>
      )}
      <CodeBlock label="Body" what="the body" code={pretty(shown.body)} />
      <Title order={3}>Attempts</Title>
      {shown.log.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      )}
      {shown.log.map((attempt) => (
        <Attempt key={attempt.at} id={shown.id} attempt={attempt} />
      ))}
    </Stack>
  )
}

function Attempt({ id, attempt }: { id: string; attempt: WebhookAttempt }) {
  const { at, url, address, status, error, answer, durationMs, signature } = attempt
  const isTaken = status !== null && status >= 200 && status < 300
  const seconds = Math.floor(Date.parse(at) / 1000)
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Tag tone={isTaken ? 'green' : 'red'}>{status ?? 'no answer'}</Tag>
        <Text size="sm">
          <TimeAgo at={at} />, {durationMs} ms
        </Text>
      </Group>
      {error !== null && <Text size="sm">{error}</Text>}
      <CodeBlock
        label="Request"
        what="the request"
        code={`POST ${url}${address === null ? '' : `\n# at ${address}`}
webhook-id: ${id}
webhook-timestamp: ${seconds}
webhook-signature: ${signature}`}
      />
      {answer !== null && answer !== '' && <CodeBlock label="Answer" what="the answer" code={answer} />}
    </Stack>
  )
}

/** In lines; as it was sent where a number could lose digits on the way. */
const pretty = (body: string) => (/\d{16}/.test(body) ? body : JSON.stringify(JSON.parse(body), null, 2))
