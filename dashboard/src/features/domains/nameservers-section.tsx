import { Button, Text } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleXFilled } from '../../icons/icons.ts'
import { type DomainDetails, evidenceAddress, type NameserverRow } from '../../api/domains.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeAgo, timeText } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'
import { isBeforeSwitch } from './preparation-situation.ts'

const columnsOf = (question: string): Column<NameserverRow>[] => [
  {
    head: 'Nameserver',
    className: 'wrap-anywhere',
    cell: ({ nameserver, address }) => (
      <>
        <Text size="sm" fw={550}>
          {nameserver}
        </Text>
        <Text size="xs" c="dimmed" className="mono">
          {address}
        </Text>
      </>
    ),
  },
  {
    head: 'Answer',
    className: 'mono wrap-anywhere answer',
    cell: ({ answers }) => answers.map((answer) => <div key={answer}>{answer}</div>),
  },
  { head: 'Zone serial', className: 'mono', onlyWide: true, cell: ({ serial }) => serial ?? '–' },
  {
    head: question,
    cell: ({ isRight }) =>
      isRight ? (
        <span className="verdict is-right">
          <IconCircleCheckFilled size={17} aria-hidden="true" /> yes
        </span>
      ) : (
        <span className="verdict is-wrong">
          <IconCircleXFilled size={17} aria-hidden="true" /> no
        </span>
      ),
  },
]

const COLUMNS = columnsOf('Right?')
/** Before the switch the domain's own record is meant to lead elsewhere. */
const COLUMNS_BEFORE = columnsOf('Prepared?')

/** Every nameserver's own answer, side by side. */
export function NameserversSection({ domain }: { domain: DomainDetails }) {
  const { slug } = useProject()
  const { lastCheck } = domain
  if (!lastCheck || lastCheck.nameservers.length === 0) return null
  const expiries = lastCheck.problems.map(({ cachesExpireBy }) => cachesExpireBy).filter((at) => at !== null)
  return (
    <Section
      flush
      title="Nameservers"
      actions={
        <Button
          component="a"
          href={evidenceAddress(slug, domain.hostname)}
          download={`${domain.hostname}.json`}
          size="xs"
          variant="subtle"
        >
          Download the evidence
        </Button>
      }
      description={
        <>
          Each one was asked by itself, <TimeAgo at={lastCheck.at} />.
        </>
      }
    >
      <DataTable
        className="rows nameservers"
        columns={isBeforeSwitch(domain) ? COLUMNS_BEFORE : COLUMNS}
        items={lastCheck.nameservers}
        keyOf={({ nameserver, address }) => `${nameserver} ${address}`}
      />
      {expiries.length > 0 && (
        <Text size="sm" c="dimmed" className="table-note">
          Caches expire by {timeText(Math.max(...expiries))} at the latest, counted from this check.
        </Text>
      )}
    </Section>
  )
}
