import { Stack, Text } from '@mantine/core'
import type { DomainDetails } from '../../api/domains.ts'
import { countText } from '../../parts/count-text.ts'
import { Section } from '../../parts/section.tsx'
import { daysUntil, timeText } from '../../parts/time.tsx'
import { BudgetLines } from './budget-lines.tsx'
import { issuerText } from './issuer-text.ts'

export function CertificateSection({ domain }: { domain: DomainDetails }) {
  const { certificate } = domain
  return (
    <Section
      title="Certificate"
      description="Issued and renewed automatically: there is nothing to install or to remember."
    >
      <Stack gap="md">
        {certificate ? (
          <dl className="facts">
            <dt>Issued by</dt>
            <dd>
              {issuerText(certificate.issuer)}
              {certificate.authority && `, ordered at ${certificate.authority}`}
              {certificate.isFallback && ', the second authority'}
            </dd>
            <dt>Valid</dt>
            <dd>
              {timeText(certificate.notBefore)} to {timeText(certificate.notAfter)}
            </dd>
            <dt>Renewal</dt>
            <dd>
              <strong>in {countText(daysUntil(certificate.renewAt), 'day')}</strong>, on {timeText(certificate.renewAt)}
            </dd>
            <dt>Serial</dt>
            <dd className="mono wrap-anywhere">{certificate.serial}</dd>
            <dt>Fingerprint</dt>
            <dd className="mono wrap-anywhere">{certificate.fingerprint}</dd>
          </dl>
        ) : (
          <Text size="sm">
            {domain.verifiedAt === null
              ? 'There is none yet: it is ordered as soon as the DNS record is verified.'
              : domain.certificateEndedAt
                ? `The last one ended on ${timeText(domain.certificateEndedAt)}: how far the next is stands above.`
                : 'There is none yet: how far it is stands above.'}
          </Text>
        )}
        <BudgetLines domain={domain} />
      </Stack>
    </Section>
  )
}
