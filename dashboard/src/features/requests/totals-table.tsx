import { Text } from '@mantine/core'
import type { RequestTotals } from '../../api/requests.ts'
import { millisecondsText } from '../../parts/chart/milliseconds-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { numberText } from '../../parts/count-text.ts'
import { once } from '../../parts/once.ts'

type Row = RequestTotals & { name: string }

const share = once(() => new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }))

interface TotalsTableProps {
  title: string
  head: string
  rows: readonly Row[]
}

/** The busiest first. */
export function TotalsTable({ title, head, rows }: TotalsTableProps) {
  const number = { className: 'number card-fact', ta: 'right' } as const
  const latency = (which: 'p50' | 'p95' | 'p99'): Column<Row> => ({
    head: which,
    ...number,
    cell: (row) => (row[which] === null ? '' : millisecondsText(row[which])),
  })
  const columns: Column<Row>[] = [
    { head, className: 'mono wrap-anywhere card-title', cell: ({ name }) => name },
    { head: 'Requests', ...number, cell: ({ calls }) => numberText(calls) },
    {
      head: 'Failed',
      ...number,
      cell: ({ calls, failures }) => (
        <Text span inherit {...(failures === 0 ? { c: 'dimmed' } : {})}>
          {failures === 0 ? '0' : `${numberText(failures)} (${share().format(failures / calls)})`}
        </Text>
      ),
    },
    latency('p50'),
    latency('p95'),
    latency('p99'),
  ]
  return (
    <Section flush title={title}>
      <DataTable className="rows is-cards" columns={columns} items={rows} keyOf={({ name }) => name} />
    </Section>
  )
}
