import { NativeSelect, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { allProjectsQuery, type AnyProject, changePlan, type Plan } from '../../api/operator.ts'
import { messageOf } from '../../api/platform.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { PLAN_NAMES } from '../projects/plan-tag.tsx'
import { SuspendProject } from './suspend-project.tsx'

const refresh = () =>
  Promise.all([['operator'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

const PLAN_CHOICES = Object.entries(PLAN_NAMES).map(([value, label]) => ({ value, label }))

const PROJECT_COLUMNS: Column<AnyProject>[] = [
  {
    head: 'Project',
    className: 'wrap-anywhere card-title',
    cell: ({ name, slug, suspension }) => (
      <>
        <Text size="sm" fw={550}>
          {name} {suspension && <Tag tone="red">suspended</Tag>}
        </Text>
        <Text size="xs" c="dimmed" className="mono">
          {slug}
        </Text>
        {suspension && (
          <Text size="xs" c="dimmed" className="wrap-anywhere">
            {suspension.reason}
          </Text>
        )}
      </>
    ),
  },
  { head: 'Created', onlyWide: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { head: 'Plan', className: 'card-fact', cell: (project) => <PlanSelect project={project} /> },
  { ta: 'right', className: 'card-actions', cell: (project) => <SuspendProject project={project} /> },
]

export function ProjectsSection({ text }: { text: string }) {
  const list = useInfiniteQuery(allProjectsQuery(text))
  const projects = list.data?.pages.flatMap(({ items }) => items)
  return (
    <Section flush title="Projects" description="A project's plan decides whether it can have custom domains.">
      <QueryGuard query={list}>
        {() => (
          <>
            <DataTable
              className="rows is-cards"
              columns={PROJECT_COLUMNS}
              items={projects}
              isStale={list.isPlaceholderData}
              keyOf={({ slug }) => slug}
              waitingRows={3}
              empty={projects?.length === 0 ? 'No such project.' : undefined}
            />
            <ShowMore what="more projects" list={list} />
          </>
        )}
      </QueryGuard>
    </Section>
  )
}

function PlanSelect({ project }: { project: AnyProject }) {
  const change = useMutation({
    mutationFn: (plan: Plan) => changePlan(project.slug, plan),
    // As it was when it was chosen: the news may be here before the answer.
    onMutate: () => project.plan,
    onSuccess: ({ plan }, _, before) =>
      sayWithUndo(`${project.name} is on ${PLAN_NAMES[plan]} now.`, () =>
        changePlan(project.slug, before).then(refresh),
      ),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The plan was not changed', message: messageOf(error) }),
    onSettled: refresh,
  })
  return (
    <NativeSelect
      aria-label={`Plan of ${project.name}`}
      size="xs"
      w={132}
      display="inline-block"
      data={PLAN_CHOICES}
      value={change.variables && change.isPending ? change.variables : project.plan}
      disabled={change.isPending}
      onChange={({ currentTarget: { value } }) => change.mutate(value as Plan)}
    />
  )
}
