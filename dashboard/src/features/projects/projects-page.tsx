import { Button, EmptyState, SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { IconFolderPlus, IconPlus } from '../../icons/icons.ts'
import { type Project, projectsQuery } from '../../api/projects.ts'
import { initialOf } from '../../parts/initial.ts'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { useLeadOn, useParameter } from '../../parts/use-parameter.ts'
import { PlanTag } from './plan-tag.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'
import { WaitingBar } from '../../parts/waiting-bar.tsx'

const NewProject = lateDialog(() => import('./new-project.tsx'))

const COLUMNS = { base: 1, sm: 2, lg: 3 }

export default function ProjectsPage() {
  const projects = useQuery(projectsQuery)
  const isCreating = useParameter('new') !== null
  const [, go] = useLocation()
  const leadOn = useLeadOn()
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => go('/projects?new')}>
      New project
    </Button>
  )
  return (
    <Page
      title="Projects"
      description="Each project has its own animals, keys, site and people."
      actions={projects.data?.length ? create : undefined}
    >
      <QueryGuard query={projects} waiting={<WaitingCards />}>
        {(known) =>
          known.length === 0 ? (
            <div className="card">
              <EmptyState
                icon={<IconFolderPlus size={30} />}
                title="No project yet"
                description={
                  'Create one to get API keys and a site of your own, or open an invitation that somebody has sent you.'
                }
              >
                <EmptyState.Actions>{create}</EmptyState.Actions>
              </EmptyState>
            </div>
          ) : (
            <SimpleGrid cols={COLUMNS}>
              {known.map((project) => (
                <ProjectCard key={project.slug} project={project} />
              ))}
            </SimpleGrid>
          )
        }
      </QueryGuard>
      <NewProject opened={isCreating} close={() => leadOn('/projects', { replace: true })} />
    </Page>
  )
}

const WaitingCards = () => (
  <SimpleGrid cols={COLUMNS}>
    {[1, 2, 3].map((at) => (
      <WaitingBar key={at} height={120} isCard />
    ))}
  </SimpleGrid>
)

function ProjectCard({ project }: { project: Project }) {
  return (
    <Link href={`/projects/${project.slug}`} className="card project-card">
      <span className="project-card-head">
        <span className="project-mark" aria-hidden="true">
          {initialOf(project.name)}
        </span>
        <PlanTag plan={project.plan} />
      </span>
      <Title order={2} size="h3" mt="sm" className="wrap-anywhere">
        {project.name}
      </Title>
      <Text size="sm" c="dimmed" className="wrap-anywhere">
        {new URL(project.url).host} · {project.role}
      </Text>
    </Link>
  )
}
