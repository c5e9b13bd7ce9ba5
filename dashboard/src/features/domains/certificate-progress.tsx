import { Alert, Stack, Text } from '@mantine/core'
import type { DomainDetails, Issuance } from '../../api/domains.ts'
import { countText } from '../../parts/count-text.ts'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo, withLocalTimes } from '../../parts/time.tsx'
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

/** A certificate that is wanted and not there: how far it is, and why it is late. */
export function CertificateProgress({ domain }: { domain: DomainDetails }) {
  const { issuance, certificate } = domain
  if (!issuance) return null
  // What the check of DNS has found as well stands there with its fix.
  const isExplained = domain.lastCheck?.problems.some(({ code }) => code === issuance.problem?.code) ?? false
  return (
    <Section title={certificate ? 'Renewal' : 'On the way to a certificate'}>
      <Stack gap="md">
        <Progress issuance={issuance} isExplained={isExplained} isRenewal={certificate !== null} />
        <LateCertificate domain={domain} />
      </Stack>
    </Section>
  )
}

interface ProgressProps {
  issuance: Issuance
  isExplained: boolean
  isRenewal: boolean
}

function Progress({ issuance, isExplained, isRenewal }: ProgressProps) {
  const { step, problem, failures, nextAttemptAt, retryAfter, since } = issuance
  if (problem) {
    return (
      <Alert
        className="notice is-warm"
        title={isRenewal ? 'The last attempt to renew it failed' : 'The last attempt failed'}
      >
        {!isExplained && <Text size="sm">{withLocalTimes(problem.message)}</Text>}
        {!isExplained && problem.detail && (
          <Text size="xs" c="dimmed" mt={4} className="mono wrap-anywhere">
            {problem.detail}
          </Text>
        )}
        <Text size="sm" mt={6}>
          {countText(failures, 'attempt has', 'attempts have')} failed.{' '}
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
