import { Alert } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DomainDetails } from '../../api/domains.ts'
import { useNow } from '../../parts/time.tsx'
import { VerifyButton } from './verify-button.tsx'

const LATE_MS = 30 * 60_000

/** Not provisioned after 30 minutes: what to look at, with what we see. */
export function LateCertificate({ domain }: { domain: DomainDetails }) {
  const { certificate, issuance, lastCheck } = domain
  const now = useNow()
  if (certificate || !issuance) return null
  const isLate = now - Date.parse(issuance.since) > LATE_MS
  const caa = lastCheck?.problems.find(({ code }) => code.startsWith('caa_'))
  if (!isLate && !caa) return null
  const stillVerifies = lastCheck?.outcome === 'passed'
  return (
    <Alert className="notice" title={isLate ? 'Not provisioned after 30 minutes? We have looked:' : 'What keeps the certificate:'}>
      <ol className="late-list">
        <Finding good={stillVerifies}>
          {stillVerifies ? 'The domain still verifies.' : 'The domain does not verify any more: mend its DNS record first.'}
        </Finding>
        <Finding good={!caa}>{caa ? `${caa.title}. ${caa.fix}` : 'No CAA record blocks the certificate authority.'}</Finding>
        <li>
          <span>Choose Re-verify to trigger a new attempt.</span> <VerifyButton domain={domain} size="compact-xs" variant="default" />
        </li>
      </ol>
    </Alert>
  )
}

function Finding({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <li className={good ? 'is-right' : 'is-wrong'}>
      {good ? <IconCheck size={16} aria-label="fine" /> : <IconX size={16} aria-label="not fine" />} <span>{children}</span>
    </li>
  )
}
