import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { IconCheck, IconLayoutGrid, IconPlus } from '../../icons/icons.ts'
import { projectsQuery } from '../../api/projects.ts'
import type { OnDemandProps } from '../../parts/on-demand.tsx'
import { useShownProject } from '../use-shown-project.ts'

const SHOWN_MAX = 12

export default function ProjectMenu({ children, defaultOpened }: OnDemandProps) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const slug = useShownProject()
  const [, go] = useLocation()
  return (
    <Menu position="bottom-start" width="target" defaultOpened={defaultOpened}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {projects.slice(0, SHOWN_MAX).map((project) => (
          <Menu.Item
            key={project.slug}
            onClick={() => go(`/projects/${project.slug}`)}
            rightSection={project.slug === slug ? <IconCheck size={16} aria-label="open now" /> : null}
          >
            {project.name}
          </Menu.Item>
        ))}
        {projects.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconLayoutGrid size={16} />} onClick={() => go('/projects')}>
          All projects
        </Menu.Item>
        <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => go('/projects?new')}>
          New project
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
