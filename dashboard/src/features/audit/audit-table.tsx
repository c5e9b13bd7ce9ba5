import { Button, Center, EmptyState, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconHistory } from '@tabler/icons-react'
import { type AuditEntry, auditQuery } from '../../api/audit.ts'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingRows } from '../../parts/waiting.tsx'
import { sentenceOf } from './sentences.ts'

/** Of a project, or without one of the account's own history; newest first. */
export function AuditTable({ slug }: { slug: string | null }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery(slug))
  const entries = data?.pages.flatMap(({ items }) => items)
  if (error && !entries) return <Trouble error={error} retry={() => void refetch()} />
  if (entries?.length === 0) {
    return (
      <div className="card">
        <EmptyState
          icon={<IconHistory size={28} />}
          title="Nothing has happened yet"
          description="Every change leaves an entry here."
        />
      </div>
    )
  }
  return (
    <div className="card is-flush">
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>When</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries ? entries.map((entry) => <EntryRow key={entry.id} entry={entry} />) : <WaitingRows columns={3} />}
        </Table.Tbody>
      </Table>
      {hasNextPage && (
        <Center p="sm">
          <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </Center>
      )}
    </div>
  )
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere">
        <Text size="sm">{sentenceOf(entry)}</Text>
        <Text size="xs" c="dimmed" className="mono">
          {entry.verb}
        </Text>
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        {entry.actor.kind === 'account' ? entry.actor.name : <Tag tone="plain">{entry.actor.name}</Tag>}
      </Table.Td>
      <Table.Td>
        <TimeAgo at={entry.at} />
      </Table.Td>
    </Table.Tr>
  )
}
