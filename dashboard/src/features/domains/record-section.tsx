import { Button, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '../../icons/icons.ts'
import type { DomainDetails } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { timeText } from '../../parts/time.tsx'
import { RecordLines, SandboxButton, type ShownLine } from './record-lines.tsx'
import { recordsBesides } from './records-besides.ts'
import { SendRecords } from './send-records.tsx'

/** The DNS record values to use. */
export function RecordSection({ domain }: { domain: DomainDetails }) {
  const { record, alternatives, notes } = domain.record
  const besides = recordsBesides(domain)
  const isApex = domain.kind === 'apex'
  const isPlaced = domain.verifiedAt !== null && domain.failingSince === null
  return (
    <Section
      title={besides.length > 0 ? 'DNS records' : 'DNS record'}
      description={describe(domain)}
      actions={
        <>
          <SandboxButton zone={zoneOf(domain)} lines={[record, ...besides]} />
          <SendRecords domain={domain} />
        </>
      }
    >
      <Stack gap="md">
        <RecordLines lines={[{ ...record, shownType: isApex ? 'ALIAS or ANAME' : record.type }, ...besides]} />
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
        <AddressesInstead lines={alternatives} />
      </Stack>
    </Section>
  )
}

/** Where a provider cannot follow a name at the apex. */
export function AddressesInstead({ lines }: { lines: ShownLine[] }) {
  const [opened, { toggle }] = useDisclosure(false)
  if (lines.length === 0) return null
  return (
    <div className="instead">
      <Button
        variant="subtle"
        size="xs"
        onClick={toggle}
        aria-expanded={opened}
        rightSection={<IconChevronDown size={14} className={opened ? 'turned' : undefined} />}
      >
        My provider has neither ALIAS nor ANAME
      </Button>
      <Collapse expanded={opened}>
        <Stack gap="xs" pt="sm">
          <Text size="sm" c="dimmed">
            Then create these address records instead, all of them:
          </Text>
          <RecordLines lines={lines} />
        </Stack>
      </Collapse>
    </div>
  )
}

function describe({ hostname, kind, verifiedAt, failingSince, record }: DomainDetails): string {
  const proof = record.proof ?? (kind === 'wildcard' ? record.challenge : null)
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

/** What is left of the full name without the record's own part. */
export function zoneOf({ record: { record }, hostname }: DomainDetails): string {
  return record.name === '@' ? hostname : hostname.slice(record.name.length + 1)
}
