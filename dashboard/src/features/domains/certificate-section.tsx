import { Alert, Stack, Text } from '@mantine/core'
import type { DomainDetails, Issuance } from '../../api/domains.ts'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { daysUntil, TimeAgo, timeText } from '../../parts/time.tsx'
import { BudgetLines } from './budget-lines.tsx'
import { issuerText } from './issuer-text.ts'
import { LateCertificate } from './late-certificate.tsx'

const STEPS: Record<string, string> = {
  planned: 'The request is prepared',
  ordered: 'The authority has the order',
  challenged: 'The answers to its questions are in place',
  validating: 'The authority is looking at this address',
  ready: 'The authority is convinced',
  finalizing: 'The authority is signing',
  issued: 'The certificate is being stored',
}

export function CertificateSection({ domain }: { domain: DomainDetails }) {
  const { certificate, issuance, verifiedAt } = domain
  if (verifiedAt === null && !certificate) return null
  return (
    <Section
      title="Certificate"
      description="Issued and renewed automatically: there is nothing to install or to remember."
    >
      <Stack gap="md">
        {issuance && <Issuance issuance={issuance} isRenewal={certificate !== null} />}
        <LateCertificate domain={domain} />
        {certificate && (
          <dl className="facts">
            <dt>Issued by</dt>
            <dd>{issuerText(certificate.issuer)}</dd>
            <dt>Valid</dt>
            <dd>
              {timeText(certificate.notBefore)} to {timeText(certificate.notAfter)}
            </dd>
            <dt>Renewal</dt>
            <dd>
              <strong>in {daysUntil(certificate.renewAt)} days</strong>, on {timeText(certificate.renewAt)}
            </dd>
            <dt>Serial</dt>
            <dd className="mono wrap-anywhere">{certificate.serial}</dd>
            <dt>Fingerprint</dt>
            <dd className="mono wrap-anywhere">{certificate.fingerprint}</dd>
          </dl>
        )}
        <BudgetLines domain={domain} />
      </Stack>
    </Section>
  )
}

function Issuance({ issuance, isRenewal }: { issuance: Issuance; isRenewal: boolean }) {
  const { step, problem, failures, nextAttemptAt, retryAfter, since } = issuance
  if (problem) {
    return (
      <Alert
        className="notice is-warm"
        title={isRenewal ? 'The renewal has met a problem' : 'The certificate has met a problem'}
      >
        <Text size="sm">{problem.message}</Text>
        {problem.detail && (
          <Text size="xs" c="dimmed" mt={4} className="mono wrap-anywhere">
            {problem.detail}
          </Text>
        )}
        <Text size="sm" mt={6}>
          {failures} {failures === 1 ? 'attempt has' : 'attempts have'} failed.{' '}
          {nextAttemptAt && (
            <>
              The next one is due <TimeAgo at={nextAttemptAt} />
              {retryAfter ? ', as the authority asked: Re-verify waits too.' : '; Re-verify starts one now.'}
            </>
          )}
        </Text>
      </Alert>
    )
  }
  return (
    <p className="issuance">
      <Tag tone="blue" busy>
        {isRenewal ? 'renewing' : 'issuing'}
      </Tag>{' '}
      {step ? STEPS[step] : 'Waiting for its turn'}, since <TimeAgo at={since} />.
    </p>
  )
}
