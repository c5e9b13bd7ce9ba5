import { Stack, Text } from '@mantine/core'
import type { DomainDetails } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { timeText } from '../../parts/time.tsx'
import { useDanglingCheck } from './recently-removed.tsx'
import { TimelineSection } from './timeline-section.tsx'

/** In the place of everything that a domain has while it is attached. */
export default function RemovedDomain({ domain }: { domain: DomainDetails }) {
  const { button, check } = useDanglingCheck(domain.hostname, false)
  return (
    <Stack gap="lg">
      <Section
        title="Removed"
        actions={button}
        description={`Not served for this project ${
          domain.removedAt ? `since ${timeText(domain.removedAt)}` : 'any more'
        }.`}
      >
        <Stack gap="sm">
          <Text size="sm">
            Unless another project has the name now, a DNS record that still points here shows visitors an error page:
            delete it at your registrar. To bring the domain back, add it again.
          </Text>
          {check}
        </Stack>
      </Section>
      <TimelineSection domain={domain} />
    </Stack>
  )
}
