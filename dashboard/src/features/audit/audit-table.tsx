import { EmptyState, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconHistory } from '../../icons/icons.ts'
import { type AuditEntry, auditQuery } from '../../api/audit.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { sentenceOf } from './sentences.ts'

const COLUMNS: Column<AuditEntry>[] = [
  {
    head: 'What',
    className: 'wrap-anywhere card-title',
    cell: (entry) => (
      <>
        <Text size="sm">{sentenceOf(entry)}</Text>
        <Text size="xs" c="dimmed" className="mono">
          {entry.verb}
        </Text>
      </>
    ),
  },
  {
    head: 'Who',
    className: 'wrap-anywhere card-fact',
    cell: ({ actor: { kind, name } }) => (kind === 'account' ? name : <Tag tone="plain">{name}</Tag>),
  },
  { head: 'When', className: 'card-fact', cell: ({ at }) => <TimeAgo at={at} /> },
]

/** Of a project, or without one of the account's own history; newest first. */
export default function AuditTable({ slug }: { slug: string | null }) {
  const list = useInfiniteQuery(auditQuery(slug))
  const entries = list.data?.pages.flatMap(({ items }) => items)
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
    <QueryGuard query={list}>
      {() => (
        <div className="card is-flush">
          <DataTable className="rows is-cards" columns={COLUMNS} items={entries} keyOf={({ id }) => String(id)} />
          <ShowMore what="older entries" list={list} />
        </div>
      )}
    </QueryGuard>
  )
}
