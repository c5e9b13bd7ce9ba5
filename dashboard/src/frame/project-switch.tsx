import { Menu, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconCheck, IconLayoutGrid, IconPlus, IconSelector } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { projectsQuery } from '../api/projects.ts'

const SHOWN_MAX = 12

export function ProjectSwitch({ slug }: { slug: string | undefined }) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const [, go] = useLocation()
  const current = projects.find((project) => project.slug === slug)

  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <UnstyledButton className="project-switch">
          <span className="project-mark" aria-hidden="true">
            {(current?.name ?? 'P').slice(0, 1).toUpperCase()}
          </span>
          <span className="project-switch-text">
            <span className="project-switch-name">{current?.name ?? 'Choose a project'}</span>
            {current && <span className="project-switch-slug">{current.slug}</span>}
          </span>
          <IconSelector size={16} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
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
