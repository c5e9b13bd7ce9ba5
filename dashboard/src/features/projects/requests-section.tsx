import { SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Environment, usageQuery } from '../../api/projects.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { OperationsTable } from './operations-table.tsx'
import { useProject } from './project-context.ts'
import { RequestsChart } from './requests-chart.tsx'

const RANGES = [
  { value: '1', label: '24 h' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
]

export function RequestsSection({ environment }: { environment: Environment }) {
  const { slug } = useProject()
  const [days, setDays] = useState('1')
  const usage = useQuery({
    ...usageQuery(slug, { environment, days: Number(days) }),
    placeholderData: (before) => before,
  })
  return (
    <Section
      title={`Requests to ${environment}`}
      actions={<SegmentedControl aria-label="Time range" size="xs" data={RANGES} value={days} onChange={setDays} />}
    >
      <QueryGuard query={usage} waiting={<Skeleton height={250} />}>
        {(known) => (
          <>
            <RequestsChart usage={known} />
            <OperationsTable usage={known} />
          </>
        )}
      </QueryGuard>
    </Section>
  )
}
