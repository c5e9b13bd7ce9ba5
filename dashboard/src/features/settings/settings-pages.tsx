import { Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Page } from '../../parts/page.tsx'
import { useTabInView } from '../../parts/tab-in-view.ts'
import { WaitingPage } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

const DomainsSettings = lazy(() => import('../domains/domains-settings.tsx'))
const TokensSettings = lazy(() => import('../tokens/tokens-settings.tsx'))
const GeneralSettings = lazy(() => import('./general-settings.tsx'))
const MembersSettings = lazy(() => import('./members-settings.tsx'))
const PlanSettings = lazy(() => import('./plan-settings.tsx'))
const DeleteSettings = lazy(() => import('./delete-settings.tsx'))
const AuditTable = lazy(() => import('../audit/audit-table.tsx'))

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

/** Project settings; a domain's own page, below its list, is `domain-page.tsx`. */
export default function SettingsPages() {
  return (
    <Switch>
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
      return <PlanSettings />
    case 'audit':
      return <AuditTable slug={slug} />
    case 'delete':
      return <DeleteSettings />
  }
}
