import './domains.css'
import { Button, EmptyState, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { IconPlus, IconRocket, IconTruckDelivery, IconWorldWww } from '../../icons/icons.ts'
import { deploysQuery } from '../../api/deploys.ts'
import { type Domain, domainsQuery } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { useDoing } from '../../parts/use-doing.ts'
import { WaitingLines } from '../../parts/waiting.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { DomainList } from './domain-list.tsx'
import { ProOffer } from './pro-offer.tsx'
import { RecentlyRemoved } from './recently-removed.tsx'
import { SandboxHint } from './sandbox-hint.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const AddDomain = lateDialog(() => import('./add-domain.tsx'))

export default function DomainsSettings() {
  const project = useProject()
  const domains = useQuery(domainsQuery(project.slug))
  const deploys = useQuery(deploysQuery(project.slug))
  const waiting = <WaitingLines lines={5} />
  return (
    <QueryGuard query={domains} waiting={waiting}>
      {(attached) => (
        <QueryGuard query={deploys} waiting={waiting}>
          {(known) => (
            <Attached
              domains={attached}
              isDeployed={known.some(({ active, source }) => active && source !== 'starter')}
            />
          )}
        </QueryGuard>
      )}
    </QueryGuard>
  )
}

function Attached({ domains, isDeployed }: { domains: Domain[]; isDeployed: boolean }) {
  const project = useProject()
  const [adding, { open, close }] = useDoing('add', mayEdit(project))
  const [preparing, preparation] = useDoing('prepare', mayEdit(project))
  const { challengeZone } = useInstallation()
  if (domains.length === 0 && (project.plan === 'free' || !isDeployed)) {
    return (
      <Stack gap="lg">
        {project.plan === 'free' ? <ProOffer /> : <DeployFirst slug={project.slug} />}
        <RecentlyRemoved />
      </Stack>
    )
  }

  const add = mayEdit(project) && (
    <Group gap="xs">
      {challengeZone !== null && (
        <Button variant="default" leftSection={<IconTruckDelivery size={16} />} onClick={preparation.open}>
          Prepare
        </Button>
      )}
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Add domain
      </Button>
    </Group>
  )
  return (
    <Stack gap="lg">
      <SandboxHint />
      <Section
        flush={domains.length > 0}
        title="Domains"
        description="One domain is primary and shows the site. The others redirect, each to a domain of this project."
        actions={domains.length > 0 && add}
      >
        {domains.length === 0 ? (
          <EmptyState
            icon={<IconWorldWww size={30} />}
            title="Your site, under your own name"
            description={
              `By default it is at ${new URL(project.url).host}. Add a domain or subdomain that you own: ` +
              'you create one DNS record, we do the rest.'
            }
          >
            {add && <EmptyState.Actions>{add}</EmptyState.Actions>}
          </EmptyState>
        ) : (
          <DomainList domains={domains} />
        )}
      </Section>
      <RecentlyRemoved />
      <AddDomain opened={adding} close={close} />
      <AddDomain opened={preparing} close={preparation.close} prepare />
    </Stack>
  )
}

function DeployFirst({ slug }: { slug: string }) {
  return (
    <div className="card">
      <EmptyState
        icon={<IconRocket size={30} />}
        title="First a site, then its domain"
        description="A domain needs a site of yours to show: deploy this project once, then come back to add a domain."
      >
        <EmptyState.Actions>
          <Button component={Link} href={`/projects/${slug}/deploys`}>
            Deploy a site
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </div>
  )
}
