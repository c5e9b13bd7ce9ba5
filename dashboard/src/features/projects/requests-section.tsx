import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Environment, usageQuery } from '../../api/projects.ts'
import { BarChart } from '../../parts/chart/bar-chart.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Segments } from '../../parts/segments.tsx'
import { OperationsTable } from './operations-table.tsx'
import { useProject } from './project-context.ts'
import { WaitingBar } from '../../parts/waiting-bar.tsx'

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
      actions={<Segments label="Time range" choices={RANGES} value={days} change={setDays} />}
    >
      <QueryGuard query={usage} waiting={<WaitingBar height={250} isCard />}>
        {(known) => (
          <>
            <BarChart usage={known} />
            <OperationsTable usage={known} />
            <Anchor component={Link} href={`/projects/${slug}/${environment}/requests`} size="sm">
              Latency, keys and failed requests
            </Anchor>
          </>
        )}
      </QueryGuard>
    </Section>
  )
}
