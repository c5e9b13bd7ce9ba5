import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { backlogQuery, type PressingWork, type WorkQueue } from '../../api/operator.ts'
import { boundedText, countText } from '../../parts/count-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'

/** What people call the queues that there are. */
const KINDS: Record<string, string> = {
  certificates: 'Certificates',
  'domain checks': 'DNS checks of domains',
  mail: 'Mail about domains',
  'mail to members': 'Mail about domains, by member',
  webhooks: 'Webhooks',
  'account mail': 'Mail to accounts',
  'forgotten passwords': 'Forgotten passwords',
}

const kindOf = ({ queue }: { queue: string }) => KINDS[queue] ?? queue

const COLUMNS: Column<WorkQueue>[] = [
  { head: 'Kind', fw: 550, cell: kindOf },
  {
    head: 'State',
    cell: ({ late, retrying, underWay }) => {
      if (late > 0) return <Tag tone="red">{late} late</Tag>
      if (retrying > 0) return <Tag tone="warm">{countText(retrying, 'retry', 'retries')}</Tag>
      return <Tag tone="green">{underWay > 0 ? `${underWay} under way` : 'up to date'}</Tag>
    },
  },
  {
    head: 'Due',
    cell: ({ due, oldestDueAt }) => (
      <>
        <Text size="sm">{due.count === 0 ? 'nothing' : boundedText(due, 'piece')}</Text>
        {oldestDueAt && (
          <Text size="xs" c="dimmed">
            the oldest <TimeAgo at={oldestDueAt} />
          </Text>
        )}
      </>
    ),
  },
  { head: 'Retries', cell: ({ retrying }) => retrying || '–' },
  {
    head: 'Later',
    cell: ({ waiting, nextDueAt }) => (
      <>
        <Text size="sm">{boundedText(waiting, 'piece')} in all</Text>
        {nextDueAt && (
          <Text size="xs" c="dimmed">
            the next <TimeAgo at={nextDueAt} />
          </Text>
        )}
      </>
    ),
  },
]

const PRESSING_COLUMNS: Column<PressingWork>[] = [
  { head: 'What', className: 'wrap-anywhere mono', cell: ({ subject }) => subject },
  { head: 'Kind', cell: kindOf },
  { head: 'Due', cell: ({ dueAt }) => <TimeAgo at={dueAt} /> },
  { head: 'Failed', cell: ({ failures }) => (failures === 0 ? 'not yet' : countText(failures, 'time')) },
  { head: 'Now', cell: ({ isUnderWay }) => (isUnderWay ? 'under way' : 'waits') },
]

/** What is done in the background: what is due, what is late, what is tried again. */
export function WorkSection() {
  const work = useQuery(backlogQuery)
  const pressing = work.data?.pressing ?? []
  return (
    <>
      <Section
        flush
        title="Queue of work"
        description="Late is what has been due for more than a minute while nobody is at it."
      >
        <QueryGuard query={work}>
          {(backlog) => (
            <DataTable
              className="rows card-rows"
              columns={COLUMNS}
              items={backlog?.queues}
              keyOf={({ queue }) => queue}
              waitingRows={3}
              empty="Nothing waits: no domains to check, no certificates, no mail, no webhooks."
            />
          )}
        </QueryGuard>
      </Section>
      {pressing.length > 0 && (
        <Section flush title="What presses" description="Late, or tried again after an error nobody expected.">
          <DataTable
            className="rows card-rows"
            columns={PRESSING_COLUMNS}
            items={pressing}
            keyOf={({ queue, subject }) => `${queue} ${subject}`}
          />
        </Section>
      )}
    </>
  )
}
