import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { projectsQuery } from '../api/projects.ts'
import { Trouble } from '../parts/trouble.tsx'
import { WaitingPage } from '../parts/waiting.tsx'
import { lastProject } from './last-project.ts'

/** Goes on to the project of the last visit, or to the only one there is. */
export function HomePage() {
  const { data, error, refetch } = useQuery(projectsQuery)
  if (error && !data) return <Trouble error={error} retry={() => void refetch()} />
  if (!data) return <WaitingPage />
  const last = data.find(({ slug }) => slug === lastProject()) ?? (data.length === 1 ? data[0] : undefined)
  return <Redirect to={last ? `/projects/${last.slug}` : '/projects'} replace />
}
