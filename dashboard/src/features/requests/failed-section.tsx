import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../api/projects.ts'
import { type FailedRequest, failedRequestsQuery } from '../../api/requests.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'
import { WaitingBar } from '../../parts/waiting-bar.tsx'

interface FailedSectionProps {
  environment: Environment
  nameOf(keyId: string): string
}

/** Why did my call fail: the last ones, by the id that their answers had. */
export function FailedSection({ environment, nameOf }: FailedSectionProps) {
  const { slug } = useProject()
  const columns: Column<FailedRequest>[] = [
    { head: 'When', className: 'card-fact', cell: ({ at }) => <TimeAgo at={at} /> },
    {
      head: 'Operation',
      className: 'mono card-title',
      cell: ({ operation }) => (
        <Anchor href={`/docs/animals/#${operation}`} target="_blank" rel="noopener" size="sm">
          {operation}
        </Anchor>
      ),
    },
    { head: 'Key', className: 'wrap-anywhere card-fact', cell: ({ keyId }) => nameOf(keyId) },
    { head: 'Status', className: 'card-mark', cell: ({ status }) => <Tag tone={toneOf(status)}>{status}</Tag> },
    { head: 'Code', className: 'mono card-fact', cell: ({ code }) => code },
    {
      head: 'Request id',
      className: 'card-fact',
      cell: ({ requestId }) => (
        <Group gap={2} wrap="nowrap">
          <Text span size="xs" className="mono wrap-anywhere">
            {requestId}
          </Text>
          <CopyIcon value={requestId} what="the request id" />
        </Group>
      ),
    },
  ]
  const query = useQuery(failedRequestsQuery(slug, { environment }))
  const count = query.data?.length
  return (
    <Section
      flush={Boolean(count)}
      title={`Failed requests to ${environment}`}
      description={
        count === 0
          ? 'None in the last 7 days with a key of this project.'
          : 'The last 200, of 7 days at the most. The id is what the answer had as X-Request-Id.'
      }
    >
      <QueryGuard query={query} waiting={<WaitingBar height={60} />}>
        {(failed) =>
          failed.length > 0 && (
            <DataTable
              className="rows is-cards"
              columns={columns}
              items={failed}
              keyOf={({ requestId }) => requestId}
            />
          )
        }
      </QueryGuard>
    </Section>
  )
}

const toneOf = (status: number) => (status >= 500 ? 'red' : status === 429 ? 'violet' : 'warm')
