import { Tabs } from '@mantine/core'
import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { early, latePage } from '../../parts/late-page.ts'
import { Page } from '../../parts/page.tsx'
import { useTabInView } from '../../parts/tab-in-view.ts'
import { WaitingPage } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

const DomainsSettings = latePage(() => import('../domains/domains-settings.tsx'))
const TokensSettings = latePage(() => import('../tokens/tokens-settings.tsx'))
const GeneralSettings = latePage(() => import('./general-settings.tsx'))
const MembersSettings = latePage(() => import('./members-settings.tsx'))
const PlanSettings = latePage(() => import('./plan-settings.tsx'))
const DeleteSettings = latePage(() => import('./delete-settings.tsx'))
const AuditTable = latePage(() => import('../audit/audit-table.tsx'))

const TABS = [
  ['general', 'General', GeneralSettings],
  ['domains', 'Domains', DomainsSettings],
  ['members', 'Members', MembersSettings],
  ['tokens', 'Tokens', TokensSettings],
  ['plan', 'Plan and shares', PlanSettings],
  ['audit', 'Audit log', AuditTable],
  ['delete', 'Delete', DeleteSettings],
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
          {TABS.map(([value, label, code]) => (
            <Tabs.Tab key={value} value={value} {...early(code)}>
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
