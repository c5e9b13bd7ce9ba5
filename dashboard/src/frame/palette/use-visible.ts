import { useQuery } from '@tanstack/react-query'
import { useInstallation } from '../../api/installation.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { mayEdit } from '../../features/projects/project-context.ts'
import { useEnvironment } from '../environment.ts'
import { useShownProject } from '../use-shown-project.ts'
import type { Visible } from './places.ts'

/** What whoever is signed in can go to from here. */
export function useVisible(): Visible {
  const slug = useShownProject()
  const { data: projects = [] } = useQuery(projectsQuery)
  const project = projects.find((known) => known.slug === slug)
  return {
    slug,
    environment: useEnvironment(),
    mayEdit: project !== undefined && mayEdit(project),
    sandbox: useInstallation().sandbox,
    operator: useAccount().operator,
  }
}
