import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, Redirect, Route, Switch } from 'wouter'
import { type Environment, type Project, projectsQuery } from '../api/projects.ts'
import { ProjectContext } from '../features/projects/project-context.ts'
import { Page } from '../parts/page.tsx'
import { QueryGuard } from '../parts/query-guard.tsx'
import { WaitingPage } from '../parts/waiting.tsx'
import { rememberProject } from './last-project.ts'
import { useLive } from './live.ts'
import { NotFoundPage } from './not-found-page.tsx'
import {
  DeploysPage,
  DomainPage,
  KeysPage,
  OrdersPage,
  OverviewPage,
  PetsPage,
  RequestsPage,
  SettingsPages,
  WebhookPage,
  WebhooksPage,
} from './pages.ts'

const STORE_PAGES = { animals: PetsPage, orders: OrdersPage, keys: KeysPage, requests: RequestsPage } as const

/** The pages of one project, which all know it. */
export function ProjectPages({ slug }: { slug: string }) {
  return (
    <QueryGuard query={useQuery(projectsQuery)} waiting={<WaitingPage />}>
      {(projects) => {
        const project = projects.find((known) => known.slug === slug)
        return project ? <OneProject project={project} /> : <NoProject slug={slug} />
      }}
    </QueryGuard>
  )
}

function OneProject({ project }: { project: Project }) {
  const { slug } = project
  rememberProject(slug)
  useLive(slug)
  return (
    <ProjectContext value={project}>
      {project.suspension && (
        <Alert className="trouble" mb="lg" title="This project is suspended" role="status">
          {project.suspension.reason} Its site shows nothing, its keys are refused, and nothing can be changed. Ask
          whoever runs this service.
        </Alert>
      )}
      <Suspense fallback={<WaitingPage />}>
        <Switch>
          <Route path="/projects/:slug" component={OverviewPage} />
          <Route path="/projects/:slug/deploys" component={DeploysPage} />
          <Route path="/projects/:slug/webhooks" component={WebhooksPage} />
          <Route path="/projects/:slug/webhooks/:webhook" component={WebhookPage} />
          <Route path="/projects/:slug/settings/domains/:hostname">
            {({ hostname }) => <DomainPage key={hostname} hostname={decodeURIComponent(hostname)} />}
          </Route>
          <Route path="/projects/:slug/settings/*?" component={SettingsPages} />
          <Route path="/projects/:slug/domains">
            <Redirect to={`/projects/${slug}/settings/domains`} replace />
          </Route>
          <Route path="/projects/:slug/:environment/:page">
            {({ environment, page }) => {
              const StorePage = STORE_PAGES[page as keyof typeof STORE_PAGES]
              if (!StorePage || (environment !== 'production' && environment !== 'staging')) return <NotFoundPage />
              return <StorePage key={environment} environment={environment as Environment} />
            }}
          </Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </ProjectContext>
  )
}

function NoProject({ slug }: { slug: string }) {
  return (
    <Page
      title="No such project"
      description={
        <>You have no project “{slug}”. It may have been deleted or renamed, or somebody has to invite you first.</>
      }
    >
      <div>
        <Button component={Link} href="/projects">
          Show my projects
        </Button>
      </div>
    </Page>
  )
}
