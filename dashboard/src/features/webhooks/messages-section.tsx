import { EmptyState, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconSend } from '../../icons/icons.ts'
import { messagesQuery, type Webhook, type WebhookMessage } from '../../api/webhooks.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'
import { MessageState } from './webhook-state.tsx'

const MessageDrawer = lateDialog(() => import('./message-drawer.tsx'))

const columnsOf = (open: (id: string) => void): Column<WebhookMessage>[] => [
  {
    head: 'Event',
    className: 'wrap-anywhere',
    cell: ({ id, type }) => (
      <UnstyledButton className="mono" fz="sm" td="underline" onClick={() => open(id)} aria-label={`${type}, details`}>
        {type}
      </UnstyledButton>
    ),
  },
  {
    head: 'State',
    cell: (message) => (
      <span>
        <MessageState message={message} />
      </span>
    ),
  },
  {
    head: 'Answer',
    className: 'number',
    cell: ({ attempts, lastStatus }) => (attempts === 0 ? '' : (lastStatus ?? 'none')),
  },
  { head: 'Attempts', className: 'number', onlyWide: true, cell: ({ attempts }) => attempts },
  {
    head: 'Next attempt',
    onlyWide: true,
    cell: ({ nextAttemptAt }) => nextAttemptAt !== null && <TimeAgo at={nextAttemptAt} />,
  },
  { head: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
]

/** What was sent there, and what waits; newest first. */
export function MessagesSection({ webhook }: { webhook: Webhook }) {
  const { slug } = useProject()
  const list = useInfiniteQuery(messagesQuery(slug, webhook.id))
  const [shown, setShown] = useState<string>()
  return (
    <QueryGuard query={list}>
      {() => (
        <Section flush title="Deliveries" description="The newest thousand that arrived, and everything that waits.">
          <DataTable
            className="rows card-rows"
            columns={columnsOf(setShown)}
            items={list.data?.pages.flatMap(({ items }) => items)}
            keyOf={({ id }) => id}
            waitingRows={4}
            empty={
              <EmptyState
                py="xl"
                icon={<IconSend size={28} />}
                title="Nothing was sent yet"
                description="The next event that it has chosen goes there, or a test."
              />
            }
          />
          <ShowMore what="deliveries" list={list} />
          <MessageDrawer webhook={webhook} id={shown} opened={shown !== undefined} close={() => setShown(undefined)} />
        </Section>
      )}
    </QueryGuard>
  )
}
