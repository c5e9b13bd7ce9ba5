import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Instance, instancesQuery } from '../../api/operator.ts'
import { countText, numberText } from '../../parts/count-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { sizeText } from '../../parts/size-text.ts'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'

const COLUMNS: Column<Instance>[] = [
  {
    head: 'Instance',
    className: 'wrap-anywhere',
    cell: ({ name, processId, version }) => (
      <>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          version {version}, process {processId}
        </Text>
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ state, seenAt }) => (
      <>
        {state === 'serving' ? (
          <Tag tone="green" dot>
            serving
          </Tag>
        ) : (
          <Tag tone="red" dot>
            silent
          </Tag>
        )}
        <Text size="xs" c="dimmed">
          seen <TimeAgo at={seenAt} />
        </Text>
      </>
    ),
  },
  { head: 'Started', cell: ({ startedAt }) => <TimeAgo at={startedAt} /> },
  {
    head: 'Role',
    cell: ({ leads, leases }) => (
      <>
        <Text size="sm">{leads ? 'serves and works' : 'serves'}</Text>
        {leases > 0 && (
          <Text size="xs" c="dimmed">
            {leases} under way
          </Text>
        )}
      </>
    ),
  },
  {
    head: 'Requests',
    cell: ({ requests, errors }) => (
      <>
        <Text size="sm" className="number">
          {numberText(requests)}
        </Text>
        <Text size="xs" c={errors > 0 ? 'red' : 'dimmed'}>
          {errors === 0 ? 'no errors' : countText(errors, 'error')}
        </Text>
      </>
    ),
  },
  {
    head: 'Machine',
    cell: ({ workers, memoryBytes, busyPercent }) => (
      <>
        <Text size="sm">{sizeText(memoryBytes)}</Text>
        <Text size="xs" c="dimmed">
          {countText(workers, 'worker')}, {`${busyPercent}\u00A0%`} busy
        </Text>
      </>
    ),
  },
]

/** Every process of the service, as it was at its last sign of life. */
export function InstancesSection() {
  return (
    <Section
      flush
      title="Instances"
      description={
        'Each says every 15 seconds how it is. One that works does what is due in the background. ' +
        'Errors are answers with status 500 and above.'
      }
    >
      <QueryGuard query={useQuery(instancesQuery)}>
        {(instances) => (
          <DataTable
            className="rows card-rows"
            columns={COLUMNS}
            items={instances}
            keyOf={({ name, processId }) => `${name} ${processId}`}
            waitingRows={1}
          />
        )}
      </QueryGuard>
    </Section>
  )
}
