import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconCheck, IconRefresh, IconX } from '../../icons/icons.ts'
import { type DomainDetails, domainsKey, troubleshoot, type TroubleshootingStep } from '../../api/domains.ts'
import { TimeAgo, useNow, withLocalTimes } from '../../parts/time.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { isBeforeSwitch } from './preparation-situation.ts'
import { VerifyButton } from './verify-button.tsx'

const LATE_MS = 30 * 60_000

/** Each look asks DNS and fetches the site: often enough to follow a repair, and no oftener. */
const LOOK_AGAIN_MS = 30_000

const TITLES: Record<TroubleshootingStep['step'], { right: string; wrong: string }> = {
  verifies: { right: 'The domain still verifies', wrong: 'The domain does not verify any more' },
  caa: {
    right: 'No CAA record blocks the certificate authority',
    wrong: 'A CAA record blocks the certificate authority',
  },
  attempt: { right: 'A new attempt is possible', wrong: 'A new attempt has to wait' },
  served: { right: 'What is served is as it should be', wrong: 'What is served is not as it should be yet' },
}

/** Of one that leads elsewhere until its certificate is here. */
const PREPARATION_TITLES: typeof TITLES = {
  ...TITLES,
  verifies: { right: 'The records of the preparation are there', wrong: 'The preparation lacks a record' },
}

/** Why a certificate is late: the contract's list with what is true at this moment, by itself after 30 minutes. */
export function LateCertificate({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const now = useNow()
  const [isAsked, setAsked] = useState(false)
  const { certificate, issuance } = domain
  if (certificate || !issuance || domain.state === 'removed' || !mayEdit(project)) return null
  const isLate = now - Date.parse(issuance.since) > LATE_MS
  if (!isLate && !isAsked) {
    return (
      <div>
        <Button variant="default" size="xs" onClick={() => setAsked(true)}>
          Why does it take so long?
        </Button>
      </div>
    )
  }
  return (
    <Alert
      className="notice"
      title={isLate ? 'Not provisioned after 30 minutes? We have looked:' : 'What we see at this moment:'}
    >
      <Walk domain={domain} />
    </Alert>
  )
}

function Walk({ domain }: { domain: DomainDetails }) {
  const { slug } = useProject()
  const { hostname } = domain
  const titles = isBeforeSwitch(domain) ? PREPARATION_TITLES : TITLES
  const look = useQuery({
    queryKey: [...domainsKey(slug), hostname, 'troubleshoot'],
    queryFn: () => troubleshoot(slug, hostname),
    staleTime: LOOK_AGAIN_MS,
    refetchInterval: LOOK_AGAIN_MS,
  })
  if (look.error && !look.data) return <Refusal error={look.error} />
  if (!look.data) return <WaitingLines lines={4} />
  return (
    <>
      <ol className="late-list">
        {look.data.steps.map((step) => (
          <Finding key={step.step} step={step} titles={titles[step.step]} />
        ))}
      </ol>
      <div className="late-actions">
        <VerifyButton domain={domain} size="xs" />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={15} />}
          loading={look.isFetching}
          onClick={() => void look.refetch()}
        >
          Look again
        </Button>
        <Text size="xs" c="dimmed">
          Looked <TimeAgo at={look.data.at} />
        </Text>
      </div>
    </>
  )
}

interface FindingProps {
  step: TroubleshootingStep
  titles: { right: string; wrong: string }
}

function Finding({ step: { ok, finding, fix }, titles: { right, wrong } }: FindingProps) {
  return (
    <li className={ok ? 'is-right' : 'is-wrong'}>
      {ok ? <IconCheck size={16} aria-label="fine" /> : <IconX size={16} aria-label="not fine" />}
      <div>
        <Text size="sm" fw={600}>
          {ok ? right : wrong}
        </Text>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {withLocalTimes(finding)}
        </Text>
        {fix !== null && (
          <Text size="sm" className="wrap-anywhere">
            {withLocalTimes(fix)}
          </Text>
        )}
      </div>
    </li>
  )
}
