import { Anchor, Button, EmptyState, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'wouter'
import { IconPlus, IconWebhook } from '../../icons/icons.ts'
import { type Webhook, webhooksQuery } from '../../api/webhooks.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { eventsText } from './event-groups.ts'
import { WebhookState } from './webhook-state.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const CreateWebhook = lateDialog(() => import('./create-webhook.tsx'))

const columnsOf = (slug: string): Column<Webhook>[] => [
  {
    head: 'Endpoint',
    className: 'wrap-anywhere',
    cell: ({ id, name, url }) => (
      <>
        <Anchor component={Link} href={`/projects/${slug}/webhooks/${id}`} size="sm" fw={550}>
          {name === '' ? url : name}
        </Anchor>
        {name !== '' && (
          <Text size="xs" c="dimmed">
            {url}
          </Text>
        )}
      </>
    ),
  },
  {
    head: 'State',
    cell: (webhook) => (
      <span>
        <WebhookState webhook={webhook} />
      </span>
    ),
  },
  { head: 'Events', onlyWide: true, cell: ({ events }) => eventsText(events) },
  { head: 'Environment', onlyWide: true, cell: ({ environment }) => environment ?? 'both' },
  {
    head: 'Last delivered',
    cell: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? (
        <Text size="sm" c="dimmed">
          never
        </Text>
      ) : (
        <TimeAgo at={lastDeliveredAt} />
      ),
  },
]

export default function WebhooksPage() {
  const project = useProject()
  const webhooks = useQuery(webhooksQuery(project.slug))
  const [creating, { open, close }] = useDisclosure(false)
  const creator = useRef<HTMLButtonElement>(null)
  const createProps = { leftSection: <IconPlus size={16} />, onClick: open, children: 'Add endpoint' }
  return (
    <Page
      title="Webhooks"
      description="What happens in this project, sent to your own server: signed, in order, until it arrives."
      actions={mayEdit(project) && <Button ref={creator} {...createProps} />}
    >
      <QueryGuard query={webhooks}>
        {() => (
          <Section flush title="Endpoints">
            <DataTable
              className="rows card-rows"
              columns={columnsOf(project.slug)}
              items={webhooks.data}
              keyOf={({ id }) => id}
              waitingRows={2}
              empty={
                <EmptyState
                  py="xl"
                  icon={<IconWebhook size={30} />}
                  title="Nobody is told yet"
                  description="Add the address of a server of yours, and choose what it hears of."
                >
                  {mayEdit(project) && (
                    <EmptyState.Actions>
                      <Button {...createProps} />
                    </EmptyState.Actions>
                  )}
                </EmptyState>
              }
            />
          </Section>
        )}
      </QueryGuard>
      <Section
        title="On a laptop"
        description="Nobody can reach it from outside. The command line fetches the events and passes them on, signed."
      >
        <CodeBlock
          what="the command"
          label="Listen from a terminal"
          code={`npx petstore listen --project ${project.slug} --forward http://localhost:3000/hooks`}
        />
      </Section>
      <CreateWebhook opened={creating} close={close} opener={creator} />
    </Page>
  )
}
