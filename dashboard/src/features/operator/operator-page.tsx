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
import { SearchField } from '../../parts/search-field.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { queryClient } from '../../query-client.ts'
import { PLAN_NAMES } from '../projects/plan-tag.tsx'
import { DomainConnectSection } from './domain-connect-section.tsx'
import { InviteAccount } from './invite-account.tsx'
import { PlatformNamesSection } from './platform-names-section.tsx'
import { SuspendProject } from './suspend-project.tsx'

const PLAN_CHOICES = Object.entries(PLAN_NAMES).map(([value, label]) => ({ value, label }))

export default function OperatorPage() {
  const { operator } = useAccount()
  const address = useListAddress()
  const text = address.get('q') ?? ''
  if (!operator) return <NotFoundPage />
  return (
    <Page
      title="Operator"
      description="Everybody's projects and accounts on this installation."
      actions={
        <div role="search" aria-label="Projects and accounts">
          <SearchField
            withIcon
            label="Search projects and accounts"
            placeholder="Name, slug or address"
            w="16rem"
            value={text}
            search={(q) => address.look({ q }, { replace: true })}
          />
        </div>
      }
    >
      <ProjectsSection text={text} />
      <AccountsSection text={text} />
      <PlatformNamesSection />
      <DomainConnectSection />
    </Page>
  )
}

/** Those that have the text in one of these. */
const has = (text: string, ...values: string[]) =>
  values.some((value) => value.toLowerCase().includes(text.toLowerCase()))

function ProjectsSection({ text }: { text: string }) {
  const columns: Column<AnyProject>[] = [
    {
      head: 'Project',
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
    { head: 'Plan', cell: (project) => <PlanSelect project={project} /> },
    { ta: 'right', cell: (project) => <SuspendProject project={project} /> },
  ]
  return (
    <QueryGuard query={useQuery(allProjectsQuery)}>
      {(projects) => (
        <Section flush title="Projects" description="A project's plan decides whether it can have custom domains.">
          <DataTable
            columns={columns}
            items={projects?.filter(({ name, slug }) => has(text, name, slug))}
            keyOf={({ slug }) => slug}
            waitingRows={3}
            empty={projects?.some(({ name, slug }) => has(text, name, slug)) === false ? 'No such project.' : undefined}
          />
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

function AccountsSection({ text }: { text: string }) {
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
          <DataTable
            columns={ACCOUNT_COLUMNS}
            items={accounts?.filter(({ name, email }) => has(text, name, email))}
            keyOf={({ id }) => id}
            waitingRows={2}
            empty={
              accounts?.some(({ name, email }) => has(text, name, email)) === false ? 'No such account.' : undefined
            }
          />
          <InviteAccount opened={inviting} close={close} />
        </Section>
      )}
    </QueryGuard>
  )
}
