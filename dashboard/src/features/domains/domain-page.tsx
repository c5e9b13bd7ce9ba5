import './domains.css'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { PetstoreError } from '../../../../client/src/platform/platform.ts'
import { type DomainDetails, domainQuery } from '../../api/domains.ts'
import { Page } from '../../parts/page.tsx'
import { Tag } from '../../parts/tag.tsx'
import { useNow } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { BackToDomains } from './back-to-domains.tsx'
import { CertificateProgress } from './certificate-progress.tsx'
import { DomainMenu } from './domain-menu.tsx'
import { isBeforeSwitch, isSwitching } from './preparation-situation.ts'
import { PrepareSection, SwitchRecord } from './prepare-section.tsx'
import { ProblemsSection } from './problems-section.tsx'
import { RecordSection, zoneOf } from './record-section.tsx'
import { SandboxHint } from './sandbox-hint.tsx'
import { SituationCard } from './situation-card.tsx'
import { situationOf } from './situation.ts'
import { StateTag } from './state-tag.tsx'

// What stands below the headline comes behind it.
const BackFromProvider = lazy(() => import('./back-from-provider.tsx'))
const ConnectSection = lazy(() => import('./connect-section.tsx'))
const DomainTabs = lazy(() => import('./domain-tabs.tsx'))
const MovingSection = lazy(() => import('./moving-section.tsx'))
const RemovedDomain = lazy(() => import('./removed-domain.tsx'))
const SwitchSection = lazy(() => import('./switch-section.tsx'))
const UnknownDomain = lazy(() => import('./unknown-domain.tsx'))

export default function DomainPage({ hostname }: { hostname: string }) {
  const { slug } = useProject()
  const domain = useQuery(domainQuery(slug, hostname))
  const state = domain.data?.state
  useEffect(() => {
    // Whatever changes the state is also in the news, which nobody asks for by themselves.
    void queryClient.invalidateQueries({ queryKey: ['projects', slug, 'notifications'] })
  }, [state, slug])
  if (!domain.data && domain.error instanceof PetstoreError && domain.error.status === 404) {
    return <UnknownDomain hostname={hostname} />
  }
  if (domain.data) return <OneDomain domain={domain.data} />
  return (
    <Page title={hostname} above={<BackToDomains />}>
      {domain.error ? <Trouble error={domain.error} retry={() => void domain.refetch()} /> : <WaitingLines />}
    </Page>
  )
}

function OneDomain({ domain }: { domain: DomainDetails }) {
  return (
    <Page
      title={domain.unicode}
      above={<BackToDomains />}
      heading={
        <span className="domain-heading">
          {domain.unicode} <StateTag domain={domain} />{' '}
          {domain.state !== 'removed' && <Tag tone={domain.role === 'primary' ? 'green' : 'plain'}>{domain.role}</Tag>}
        </span>
      }
      description={domain.hostname === domain.unicode ? undefined : `In DNS it is written ${domain.hostname}.`}
      actions={<DomainMenu domain={domain} />}
    >
      {domain.state === 'removed' ? (
        <Suspense fallback={<WaitingLines />}>
          <RemovedDomain domain={domain} />
        </Suspense>
      ) : (
        <Attached domain={domain} />
      )}
    </Page>
  )
}

/** The headline, what is to be done now, and everything else in tabs. */
function Attached({ domain }: { domain: DomainDetails }) {
  const situation = situationOf(domain, useNow())
  const isServed = domain.verifiedAt !== null
  const isMended = domain.failingSince === null
  const isPreparing = isBeforeSwitch(domain)
  // The changes that mend a wrong record say it already.
  const isShown = domain.lastCheck?.problems.some(({ change }) => change?.add.length) ?? false
  const wantsRecord = (!isServed || !isMended) && !isShown
  // One click writes both records of a preparation; when those are seen, the next one is the switch itself.
  const isSeen = isPreparing && domain.provedAt !== null && isMended
  const mayConnect = (!isServed || !isMended) && (!isSeen || domain.state === 'ready') && !isSwitching(domain)
  const moving = domain.kind !== 'wildcard' && <MovingSection domain={domain} />
  const isUnderWay = isPreparing && domain.switchSeenAt !== null
  return (
    <Stack gap="lg">
      <Suspense>
        <BackFromProvider domain={domain} />
      </Suspense>
      <SituationCard domain={domain} situation={situation} />
      <ProblemsSection domain={domain} />
      <CertificateProgress domain={domain} />
      {!isServed && <SandboxHint apex={zoneOf(domain)} />}
      <Suspense>{mayConnect && <ConnectSection domain={domain} />}</Suspense>
      <Suspense>{isUnderWay && moving}</Suspense>
      {domain.state === 'ready' && <SwitchRecord domain={domain} />}
      {isPreparing && (!isShown || isMended) && <PrepareSection domain={domain} />}
      {wantsRecord && !isPreparing && <RecordSection domain={domain} />}
      <Suspense fallback={<WaitingLines />}>
        {!isUnderWay && moving}
        {domain.kind !== 'wildcard' && !isServed && <SwitchSection domain={domain} />}
        <DomainTabs domain={domain} withRecord={!wantsRecord && !isPreparing} />
      </Suspense>
    </Stack>
  )
}
