import { IconCircleCheckFilled, IconCircleXFilled } from '../../icons/icons.ts'
import './domains.css'
import { Text } from '@mantine/core'
import type { DomainDetails, DomainInstance } from '../../api/domains.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeAgo, timeText } from '../../parts/time.tsx'

const PROBLEM_WORDS: Record<string, string> = {
  no_handshake: 'no TLS connection',
  other_certificate: 'another certificate',
  certificate_expired: 'the certificate has ended',
  chain_broken: 'a part of the chain is missing',
  no_answer: 'no answer',
  error_status: 'an error of the service',
}

const COLUMNS: Column<DomainInstance>[] = [
  {
    head: 'Instance',
    className: 'wrap-anywhere',
    cell: ({ instance, seenAt }) => (
      <>
        <Text size="sm" fw={550}>
          {instance}
        </Text>
        <Text size="xs" c="dimmed">
          seen <TimeAgo at={seenAt} />
        </Text>
      </>
    ),
  },
  {
    head: 'Certificate',
    className: 'wrap-anywhere',
    cell: ({ serial, notAfter }) =>
      serial === null ? (
        '–'
      ) : (
        <>
          <Text size="xs" className="mono">
            {serial}
          </Text>
          <Text size="xs" c="dimmed">
            until {notAfter && timeText(notAfter)}
          </Text>
        </>
      ),
  },
  { head: 'Chain', onlyWide: true, cell: ({ isChainWhole }) => (isChainWhole ? 'whole' : 'not whole') },
  { head: 'Answer', cell: ({ status }) => status ?? '–' },
  {
    head: 'Right?',
    cell: ({ problem }) =>
      problem === null ? (
        <span className="verdict is-right">
          <IconCircleCheckFilled size={17} aria-hidden="true" /> yes
        </span>
      ) : (
        <span className="verdict is-wrong">
          <IconCircleXFilled size={17} aria-hidden="true" /> {PROBLEM_WORDS[problem] ?? problem}
        </span>
      ),
  },
]

/** What each instance was seen to serve for one name. */
export function InstanceTable({ instances }: { instances: DomainInstance[] }) {
  if (instances.length > 0) {
    return <DataTable className="rows" columns={COLUMNS} items={instances} keyOf={({ instance }) => instance} />
  }
  return (
    <Text size="sm" c="dimmed" className="table-note">
      No instance has looked yet: the first look comes within minutes of the certificate.
    </Text>
  )
}

/** What every instance really serves for the name, as it has seen itself over a connection of its own. */
export function InstancesSection({ domain }: { domain: DomainDetails }) {
  return (
    <Section
      flush
      title="Instances"
      description="Each instance of the service connects to itself under this name and notes what a visitor would meet."
    >
      <InstanceTable instances={domain.instances} />
    </Section>
  )
}
