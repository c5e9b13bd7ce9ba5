import { Accordion, Text } from '@mantine/core'
import type { DomainDetails } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'

/** The contract's troubleshooting rules, for reading; what can be looked up is looked up above. */
export function HelpSection({ domain }: { domain: DomainDetails }) {
  const { record } = domain.record
  const rules = [
    [
      'Verification fails',
      'A conflicting record for the same name blocks it: an existing A record blocks the CNAME. Or the value differs ' +
        `from the one shown here, ${record.value}. Delete what is in the way, correct the value, and choose Verify.`,
    ],
    [
      'The certificate is not there after 30 minutes',
      'Confirm that the domain still verifies. Check that no CAA record blocks the certificate authority. ' +
        'Then choose Re-verify to trigger a new attempt.',
    ],
    [
      'The browser warns about a private connection',
      'The certificate is not yet provisioned, or an old certificate is cached. Wait a few minutes and retry in a ' +
        'fresh browser session.',
    ],
    [
      'A redirect goes somewhere else',
      'Browsers remember redirect chains. Check the served response headers directly: choose Check what is served.',
    ],
  ] as const
  return (
    <Section title="If something is not right">
      <Accordion variant="default" chevronPosition="left" order={3}>
        {rules.map(([title, text]) => (
          <Accordion.Item key={title} value={title}>
            <Accordion.Control>{title}</Accordion.Control>
            <Accordion.Panel>
              <Text size="sm" c="dimmed" className="wrap-anywhere">
                {text}
              </Text>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  )
}
