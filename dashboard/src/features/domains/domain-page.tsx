import './domains.css'
import { Alert, Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { type DomainDetails, domainQuery } from '../../api/domains.ts'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Tag } from '../../parts/tag.tsx'
import { timeText } from '../../parts/time.tsx'
import { WaitingPage } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { CertificateSection } from './certificate-section.tsx'
import { DomainMenu } from './domain-menu.tsx'
import { HelpSection } from './help-section.tsx'
import { HstsSection } from './hsts-section.tsx'
import { NameserversSection } from './nameservers-section.tsx'
import { ProblemsSection } from './problems-section.tsx'
import { RecordSection, zoneOf } from './record-section.tsx'
import { RemovedDomain } from './removed-domain.tsx'
import { SandboxHint } from './sandbox-hint.tsx'
import { ServedSection } from './served-section.tsx'
import { StateTag } from './state-tag.tsx'
import { Steps } from './steps.tsx'
import { TimelineSection } from './timeline-section.tsx'
import { VerifyButton } from './verify-button.tsx'
import { VisitButton } from './visit-button.tsx'

export default function DomainPage({ hostname }: { hostname: string }) {
  const { slug } = useProject()
  const domain = useQuery(domainQuery(slug, hostname))
  const state = domain.data?.state
  useEffect(() => {
    // Whatever changes the state is also in the news, which nobody asks for by themselves.
    void queryClient.invalidateQueries({ queryKey: ['projects', slug, 'notifications'] })
  }, [state, slug])
  return (
    <QueryGuard query={domain} waiting={<WaitingPage />}>
      {(details) => <OneDomain domain={details} />}
    </QueryGuard>
  )
}

function OneDomain({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const { slug } = project
  const isServed = domain.verifiedAt !== null
  return (
    <Page
      title={domain.unicode}
      above={
        <Anchor component={Link} href={`/projects/${slug}/settings/domains`} size="sm" className="back-link">
          <IconArrowLeft size={14} aria-hidden="true" /> Domains
        </Anchor>
      }
      heading={
        <span className="domain-heading">
          {domain.unicode} <StateTag state={domain.state} />{' '}
          {domain.state !== 'removed' && <Tag tone={domain.role === 'primary' ? 'green' : 'plain'}>{domain.role}</Tag>}
        </span>
      }
      description={descriptionOf(domain)}
      actions={
        <>
          {isServed && domain.state !== 'removed' && <VisitButton hostname={domain.hostname} />}
          <VerifyButton domain={domain} {...(domain.state === 'live' ? { variant: 'default' } : {})} />
          <DomainMenu domain={domain} />
        </>
      }
    >
      {domain.state === 'removed' ? (
        <Stack gap="lg">
          <RemovedDomain domain={domain} />
          <TimelineSection domain={domain} />
        </Stack>
      ) : (
        <Stack gap="lg">
          <Steps domain={domain} />
          {domain.servedUntil && (
            <Alert
              className="notice is-warm"
              title={`Visitors are still served, until ${timeText(domain.servedUntil)}`}
            >
              The DNS records have changed and no longer lead here. Mend them before then, and nobody notices.
            </Alert>
          )}
          <ProblemsSection domain={domain} />
          {!isServed && <SandboxHint apex={zoneOf(domain)} />}
          {!isServed && <RecordSection domain={domain} />}
          <CertificateSection domain={domain} />
          <NameserversSection domain={domain} />
          {isServed && mayEdit(project) && <ServedSection domain={domain} />}
          <HstsSection domain={domain} />
          <TimelineSection domain={domain} />
          {isServed && <RecordSection domain={domain} />}
          <HelpSection domain={domain} />
        </Stack>
      )}
    </Page>
  )
}

function descriptionOf({ redirect, hostname, unicode, state }: DomainDetails): string {
  const name = hostname === unicode ? '' : `In DNS it is written ${hostname}. `
  if (state === 'removed') return `${name}It has left this project.`
  if (redirect) return `${name}Redirects to ${redirect.to} with ${redirect.status}.`
  return name + (state === 'live' ? 'Shows the site of this project.' : 'Will show the site of this project.')
}
