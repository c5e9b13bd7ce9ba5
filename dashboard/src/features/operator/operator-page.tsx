import { Stack, Tabs } from '@mantine/core'
import { Suspense } from 'react'
import { useLocation, useParams } from 'wouter'
import { useAccount } from '../../api/session.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { early, latePage } from '../../parts/late-page.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useTabInView } from '../../parts/tab-in-view.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import { WaitingPage } from '../../parts/waiting.tsx'
import { AccountsSection } from './accounts-section.tsx'
import { ProjectsSection } from './projects-section.tsx'

const HealthSections = latePage(() => import('./health-sections.tsx'))
const NamesSections = latePage(() => import('./names-sections.tsx'))

const TABS = [
  ['projects', 'Projects and accounts', undefined],
  ['health', 'Health', HealthSections],
  ['names', 'Names and certificates', NamesSections],
] as const

export default function OperatorPage() {
  const { operator } = useAccount()
  const { tab = 'projects' } = useParams<{ tab?: string }>()
  const [, go] = useLocation()
  const tabs = useTabInView(tab)
  const known = TABS.find(([value]) => value === tab)
  if (!operator || !known) return <NotFoundPage />
  return (
    <Page
      title={known[0] === 'projects' ? 'Operator' : known[1]}
      above={known[0] === 'projects' ? undefined : 'Operator'}
    >
      <Tabs
        value={tab}
        onChange={(chosen) => go(chosen === 'projects' ? '/operator' : `/operator/${chosen}`)}
        keepMounted={false}
      >
        <Tabs.List ref={tabs} mb="lg" className="settings-tabs">
          {TABS.map(([value, label, code]) => (
            <Tabs.Tab key={value} value={value} {...early(code)}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="projects">
          <Everybody />
        </Tabs.Panel>
        <Tabs.Panel value="health">
          <Suspense fallback={<WaitingPage />}>
            <HealthSections />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="names">
          <Suspense fallback={<WaitingPage />}>
            <NamesSections />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Everybody() {
  const address = useListAddress()
  const text = address.get('q') ?? ''
  return (
    <Stack gap="lg">
      <div role="search" aria-label="Projects and accounts">
        <SearchField
          withIcon
          label="Search projects and accounts"
          placeholder="Name, slug or address"
          w="16rem"
          value={text}
          search={(q) => address.look({ q }, { replace: true })}
        />
      </div>
      <ProjectsSection text={text} />
      <AccountsSection text={text} />
    </Stack>
  )
}
