import { Button, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { messageOf } from '../../api/platform.ts'
import { accountsQuery, allProjectsQuery, type AnyProject, changePlan, type Plan } from '../../api/operator.ts'
import { type Account, useAccount } from '../../api/session.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { PLAN_NAMES } from '../projects/plan-tag.tsx'
import { DomainConnectSection } from './domain-connect-section.tsx'
import { InviteAccount } from './invite-account.tsx'

const PLAN_CHOICES = Object.entries(PLAN_NAMES).map(([value, label]) => ({ value, label }))

export default function OperatorPage() {
  const { operator } = useAccount()
  if (!operator) return <NotFoundPage />
  return (
    <Page title="Operator" description="Everybody's projects and accounts on this installation.">
      <ProjectsSection />
      <AccountsSection />
      <DomainConnectSection />
    </Page>
  )
}

function ProjectsSection() {
  const columns: Column<AnyProject>[] = [
    {
      head: 'Project',
      cell: ({ name, slug }) => (
        <>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="mono">
            {slug}
          </Text>
        </>
      ),
    },
    { head: 'Created', onlyWide: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    { head: 'Plan', cell: (project) => <PlanSelect project={project} /> },
  ]
  return (
    <QueryGuard query={useQuery(allProjectsQuery)}>
      {(projects) => (
        <Section flush title="Projects" description="A project's plan decides whether it can have custom domains.">
          <DataTable columns={columns} items={projects} keyOf={({ slug }) => slug} waitingRows={3} />
        </Section>
      )}
    </QueryGuard>
  )
}

function PlanSelect({ project }: { project: AnyProject }) {
  const change = useMutation({
    mutationFn: (plan: Plan) => changePlan(project.slug, plan),
    onSuccess: ({ plan }) => notifications.show({ message: `${project.name} is on ${PLAN_NAMES[plan]} now.` }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The plan was not changed', message: messageOf(error) }),
    onSettled: () =>
      Promise.all([['operator'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
  return (
    <Select
      aria-label={`Plan of ${project.name}`}
      size="xs"
      w={132}
      allowDeselect={false}
      data={PLAN_CHOICES}
      value={change.variables && change.isPending ? change.variables : project.plan}
      disabled={change.isPending}
      onChange={(plan) => change.mutate(plan as Plan)}
    />
  )
}

const ACCOUNT_COLUMNS: Column<Account>[] = [
  {
    head: 'Account',
    className: 'wrap-anywhere',
    cell: ({ name, email }) => (
      <>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  {
    head: 'Rights',
    cell: ({ operator }) => (operator ? <Tag tone="violet">operator</Tag> : <Tag tone="plain">account</Tag>),
  },
  { head: 'Created', onlyWide: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
]

function AccountsSection() {
  const [inviting, { open, close }] = useDisclosure(false)
  return (
    <QueryGuard query={useQuery(accountsQuery)}>
      {(accounts) => (
        <Section
          flush
          title="Accounts"
          actions={
            <Button size="xs" variant="default" leftSection={<IconUserPlus size={16} />} onClick={open}>
              Invite somebody
            </Button>
          }
        >
          <DataTable columns={ACCOUNT_COLUMNS} items={accounts} keyOf={({ id }) => id} waitingRows={2} />
          <InviteAccount opened={inviting} close={close} />
        </Section>
      )}
    </QueryGuard>
  )
}
