import { Text } from '@mantine/core'
import type { Usage } from '../../api/projects.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'

const whole = new Intl.NumberFormat('en')

const COLUMNS: Column<Usage['operations'][number]>[] = [
  { head: 'Operation', className: 'mono', cell: ({ operation }) => operation },
  { head: 'Requests', className: 'number', ta: 'right', cell: ({ calls }) => whole.format(calls) },
  {
    head: 'Failed',
    className: 'number',
    ta: 'right',
    cell: ({ failures }) =>
      failures === 0 ? (
        <Text span inherit c="dimmed">
          0
        </Text>
      ) : (
        whole.format(failures)
      ),
  },
]

/** Which operations the requests were for. */
export function OperationsTable({ usage }: { usage: Usage }) {
  const operations = usage.operations.toSorted((a, b) => b.calls - a.calls)
  if (operations.length === 0) return null
  return <DataTable className="operations" columns={COLUMNS} items={operations} keyOf={({ operation }) => operation} />
}
