import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { projectsQuery } from '../api/projects.ts'
import { QueryGuard } from '../parts/query-guard.tsx'
import { WaitingPage } from '../parts/waiting.tsx'
import { lastProject } from './last-project.ts'

/** Goes on to the project of the last visit, or to the only one there is. */
export function HomePage() {
  return (
    <QueryGuard query={useQuery(projectsQuery)} waiting={<WaitingPage />}>
      {(projects) => {
        const only = projects.length === 1 ? projects[0] : undefined
        const last = projects.find(({ slug }) => slug === lastProject()) ?? only
        return <Redirect to={last ? `/projects/${last.slug}` : '/projects'} replace />
      }}
    </QueryGuard>
  )
}
