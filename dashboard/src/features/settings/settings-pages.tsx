import { Stack, Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Page } from '../../parts/page.tsx'
import { useTabInView } from '../../parts/tab-in-view.ts'
import { WaitingPage } from '../../parts/waiting.tsx'
import { AuditTable } from '../audit/audit-table.tsx'
import { useProject } from '../projects/project-context.ts'
import { DeleteSettings } from './delete-settings.tsx'
import { GeneralSettings } from './general-settings.tsx'
import { MembersSettings } from './members-settings.tsx'
import { PlanSettings } from './plan-settings.tsx'
import { SharesSection } from './shares-section.tsx'

const DomainsSettings = lazy(() => import('../domains/domains-settings.tsx'))
const TokensSettings = lazy(() => import('../tokens/tokens-settings.tsx'))
const DomainPage = lazy(() => import('../domains/domain-page.tsx'))

const TABS = [
  ['general', 'General'],
  ['domains', 'Domains'],
  ['members', 'Members'],
  ['tokens', 'Tokens'],
  ['plan', 'Plan and shares'],
  ['audit', 'Audit log'],
  ['delete', 'Delete'],
] as const

type Tab = (typeof TABS)[number][0]

/** Project settings; a domain's own page stands below its list. */
export default function SettingsPages() {
  return (
    <Switch>
      <Route path="/projects/:slug/settings/domains/:hostname">
        {({ hostname }) => (
          <Suspense fallback={<WaitingPage />}>
            <DomainPage key={hostname} hostname={decodeURIComponent(hostname)} />
          </Suspense>
        )}
      </Route>
      <Route path="/projects/:slug/settings/:tab?">{({ tab = 'general' }) => <Settings tab={tab} />}</Route>
      <Route component={NotFoundPage} />
    </Switch>
  )
}

function Settings({ tab }: { tab: string }) {
  const project = useProject()
  const [, go] = useLocation()
  const base = `/projects/${project.slug}/settings`
  const known = TABS.find(([value]) => value === tab)
  const tabs = useTabInView(tab)
  if (!known) return <NotFoundPage />
  return (
    <Page
      title={known[0] === 'general' ? 'Project settings' : known[1]}
      above={known[0] === 'general' ? undefined : 'Project settings'}
    >
      <Tabs
        value={tab}
        onChange={(chosen) => go(chosen === 'general' ? base : `${base}/${chosen}`)}
        keepMounted={false}
      >
        <Tabs.List ref={tabs} mb="lg" className="settings-tabs">
          {TABS.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Suspense fallback={<WaitingPage />}>
            <Content tab={known[0]} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Content({ tab }: { tab: Tab }) {
  const { slug } = useProject()
  switch (tab) {
    case 'general':
      return <GeneralSettings />
    case 'domains':
      return <DomainsSettings />
    case 'members':
      return <MembersSettings />
    case 'tokens':
      return <TokensSettings />
    case 'plan':
      return (
        <Stack gap="lg">
          <PlanSettings />
          <SharesSection />
        </Stack>
      )
    case 'audit':
      return <AuditTable slug={slug} />
    case 'delete':
      return <DeleteSettings />
  }
}
