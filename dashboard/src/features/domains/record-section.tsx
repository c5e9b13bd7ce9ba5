import { Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconFlask } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { DnsInstruction, DomainDetails } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { timeText } from '../../parts/time.tsx'
import { SendRecords } from './send-records.tsx'

/** The DNS record values to use. */
export function RecordSection({ domain }: { domain: DomainDetails }) {
  const { record, alternatives, proof, notes } = domain.record
  const isApex = domain.kind === 'apex'
  const isPlaced = domain.verifiedAt !== null && domain.failingSince === null
  const { sandbox } = useInstallation()
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <Section
      title={proof ? 'DNS records' : 'DNS record'}
      description={describe(domain)}
      actions={
        <>
          {sandbox && (
            <Button
              component={Link}
              href={sandboxPage(domain)}
              size="xs"
              variant="light"
              leftSection={<IconFlask size={15} />}
            >
              Open at the sandbox registrar
            </Button>
          )}
          <SendRecords domain={domain} />
        </>
      }
    >
      <Stack gap="md">
        <Records
          records={[{ ...record, shownType: isApex ? 'ALIAS or ANAME' : record.type }, ...(proof ? [proof] : [])]}
        />
        {!isPlaced && (
          <ul className="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
            <li>
              DNS changes can take up to 48 hours to propagate; most resolve within minutes. After Verify we go on
              looking by ourselves.
            </li>
            {domain.claimEndsAt && (
              <li>
                Unless it verifies by {timeText(domain.claimEndsAt)}, the domain leaves the list by itself. You can add
                it again.
              </li>
            )}
          </ul>
        )}
        {alternatives.length > 0 && (
          <div className="instead">
            <Button
              variant="subtle"
              size="xs"
              onClick={toggle}
              aria-expanded={opened}
              rightSection={<IconChevronDown size={14} className={opened ? 'is-turned' : undefined} />}
            >
              My provider has neither ALIAS nor ANAME
            </Button>
            <Collapse expanded={opened}>
              <Stack gap="xs" pt="sm">
                <Text size="sm" c="dimmed">
                  Then create these address records instead, all of them:
                </Text>
                <Records records={alternatives} />
              </Stack>
            </Collapse>
          </div>
        )}
      </Stack>
    </Section>
  )
}

function describe({ hostname, kind, verifiedAt, failingSince, record: { proof } }: DomainDetails): string {
  const isApex = kind === 'apex'
  if (verifiedAt !== null && failingSince === null) {
    const instead = isApex ? ', or address records do in its place' : ''
    return `It leads visitors here${instead}. Keep it as long as the domain is attached.`
  }
  if (!isApex) return `In the DNS settings of the domain's registrar, create ${proof ? 'both records' : 'this record'}.`
  const create = `${hostname} is an apex domain: at its registrar, create an ALIAS or ANAME record.`
  const besides = proof ? ' Create the TXT record beside it.' : ''
  return `${create} Not every DNS provider supports these.${besides}`
}

/** The zone, with the records filled in one after the other. */
function sandboxPage(domain: DomainDetails): string {
  const { record, proof } = domain.record
  const fields = [record, ...(proof ? [proof] : [])].flatMap(({ type, name, value }) =>
    Object.entries({ type, name, value }),
  )
  return `/sandbox/${zoneOf(domain)}?${new URLSearchParams(fields)}`
}

/** What is left of the full name without the record's own part. */
export function zoneOf({ record: { record }, hostname }: DomainDetails): string {
  return record.name === '@' ? hostname : hostname.slice(record.name.length + 1)
}

type ShownRecord = DnsInstruction & { shownType?: string }

const COLUMNS: Column<ShownRecord>[] = [
  { head: 'Type', cell: ({ type, shownType }) => <span className="record-type">{shownType ?? type}</span> },
  { head: 'Name', cell: ({ name }) => <Value text={name} what="the name" /> },
  { head: 'Value', cell: ({ value }) => <Value text={value} what="the value" /> },
  { head: 'TTL', cell: ({ ttl }) => <Value text={String(ttl)} what="the TTL" /> },
]

const Records = ({ records }: { records: ShownRecord[] }) => (
  <div className="record-frame">
    <DataTable
      className="record-table"
      columns={COLUMNS}
      items={records}
      keyOf={({ type, name, value }) => `${type} ${name} ${value}`}
    />
  </div>
)

function Value({ text, what }: { text: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="mono wrap-anywhere">{text}</span>
      <CopyIcon value={text} what={what} />
    </Group>
  )
}
