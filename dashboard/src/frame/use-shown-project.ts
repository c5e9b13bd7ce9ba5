import { useQuery } from '@tanstack/react-query'
import { useLocation, useRoute } from 'wouter'
import { projectsQuery } from '../api/projects.ts'
import { lastProject } from './last-project.ts'

/** The project that the frame belongs to: that of the page, or the last one while somebody is on a page without any. */
export function useShownProject(): string | undefined {
  const [inProject, parameters] = useRoute('/projects/:slug/*?')
  const [path] = useLocation()
  const { data: projects = [] } = useQuery(projectsQuery)
  const slug = inProject ? parameters.slug : path === '/projects' ? null : lastProject()
  return projects.find((project) => project.slug === slug)?.slug
}
