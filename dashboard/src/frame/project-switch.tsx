import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconSelector } from '../icons/icons.ts'
import { projectsQuery } from '../api/projects.ts'
import { initialOf } from '../parts/initial.ts'
import { OnDemand } from '../parts/on-demand.tsx'

export function ProjectSwitch({ slug }: { slug: string | undefined }) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const current = projects.find((project) => project.slug === slug)
  return (
    <OnDemand load={() => import('./menus/project-menu.tsx')}>
      <UnstyledButton className="project-switch">
        <span className="project-mark" aria-hidden="true">
          {initialOf(current?.name ?? 'P')}
        </span>
        <span className="project-switch-text">
          <span className="project-switch-name">{current?.name ?? 'Choose a project'}</span>
          {current && <span className="project-switch-slug">{current.slug}</span>}
        </span>
        <IconSelector size={16} aria-hidden="true" />
      </UnstyledButton>
    </OnDemand>
  )
}
