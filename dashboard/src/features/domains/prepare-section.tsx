import { Stack } from '@mantine/core'
import type { DomainDetails } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { timeText } from '../../parts/time.tsx'
import { isSwitching } from './preparation-situation.ts'
import { RecordLines, SandboxButton } from './record-lines.tsx'
import { AddressesInstead, zoneOf } from './record-section.tsx'

/** The two records by which a domain gets its certificate before it leads here. */
export function PrepareSection({ domain }: { domain: DomainDetails }) {
  const { proof, challenge, notes } = domain.record
  const lines = [proof, challenge].filter((line) => line !== null)
  const isProved = domain.provedAt !== null && domain.failingSince === null
  return (
    <Section
      title="Before the switch: two records"
      description={
        isProved
          ? 'Both are there. Keep the CNAME for good: every renewal of the certificate goes by it.'
          : 'In the DNS settings of the domain’s registrar, create both. Neither changes where visitors go.'
      }
      actions={<SandboxButton zone={zoneOf(domain)} lines={lines} />}
    >
      <Stack gap="md">
        <RecordLines lines={lines} />
        {!isProved && (
          <ul className="notes">
            {notes.slice(0, 1).map((note) => (
              <li key={note}>{note}</li>
            ))}
            {domain.claimEndsAt && (
              <li>Unless both are seen by {timeText(domain.claimEndsAt)}, the domain leaves the list by itself.</li>
            )}
          </ul>
        )}
      </Stack>
    </Section>
  )
}

/** The record that takes visitors here. */
export function SwitchRecord({ domain }: { domain: DomainDetails }) {
  const { record, alternatives } = domain.record
  const isApex = domain.kind === 'apex'
  return (
    <Section
      title="The switch: one record"
      description={
        isSwitching(domain)
          ? 'This is what every nameserver has to answer.'
          : `Replace what ${domain.hostname} has now by this record. Visitors are served here as soon as they see ` +
            'it; those who remember the old one go on to the old host until it has run out, so leave that running.'
      }
      actions={<SandboxButton zone={zoneOf(domain)} lines={[record]} />}
    >
      <Stack gap="md">
        <RecordLines lines={[{ ...record, shownType: isApex ? 'ALIAS or ANAME' : record.type }]} />
        <AddressesInstead lines={alternatives} />
        {!isSwitching(domain) && (
          <ul className="notes">
            <li>
              Change it in one step: edit the record, or delete the old one and create the new one in the same save.
              Whoever asks in between is told that there is none, and remembers that for a while.
            </li>
          </ul>
        )}
      </Stack>
    </Section>
  )
}
