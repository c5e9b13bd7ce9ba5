import { Button, Group, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import {
  accountsQuery,
  allProjectsQuery,
  type AnyProject,
  changePlan,
  inviteAccount,
  type Plan,
} from '../../api/operator.ts'
import { useAccount } from '../../api/session.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Refusal, Trouble } from '../../parts/trouble.tsx'
import { WaitingRows } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { OneTimeLink } from '../accounts/one-time-link.tsx'
import { PLAN_NAMES } from '../projects/plan-tag.tsx'

const PLAN_CHOICES = Object.entries(PLAN_NAMES).map(([value, label]) => ({ value, label }))

export default function OperatorPage() {
  const { operator } = useAccount()
  if (!operator) return <NotFoundPage />
  return (
    <Page title="Operator" description="Everybody's projects and accounts on this installation.">
      <ProjectsSection />
      <AccountsSection />
    </Page>
  )
}

function ProjectsSection() {
  const { data: projects, error, refetch } = useQuery(allProjectsQuery)
  if (error && !projects) return <Trouble error={error} retry={() => void refetch()} />
  return (
    <Section flush title="Projects" description="A project's plan decides whether it can have custom domains.">
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Project</Table.Th>
            <Table.Th className="only-wide">Created</Table.Th>
            <Table.Th>Plan</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {projects?.map((project) => <ProjectRow key={project.slug} project={project} />) ?? (
            <WaitingRows rows={3} columns={3} />
          )}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function ProjectRow({ project }: { project: AnyProject }) {
  const change = useMutation({
    mutationFn: (plan: Plan) => changePlan(project.slug, plan),
    onSuccess: ({ plan }) => notifications.show({ message: `${project.name} is on ${PLAN_NAMES[plan]} now.` }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The plan was not changed', message: messageOf(error) }),
    onSettled: () =>
      Promise.all([['operator'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {project.name}
        </Text>
        <Text size="xs" c="dimmed" className="mono">
          {project.slug}
        </Text>
      </Table.Td>
      <Table.Td className="only-wide">
        <TimeAgo at={project.createdAt} />
      </Table.Td>
      <Table.Td>
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
      </Table.Td>
    </Table.Tr>
  )
}

function AccountsSection() {
  const { data: accounts, error, refetch } = useQuery(accountsQuery)
  const [inviting, { open, close }] = useDisclosure(false)
  if (error && !accounts) return <Trouble error={error} retry={() => void refetch()} />
  return (
    <Section
      flush
      title="Accounts"
      actions={
        <Button size="xs" variant="default" leftSection={<IconUserPlus size={16} />} onClick={open}>
          Invite somebody
        </Button>
      }
    >
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th>Rights</Table.Th>
            <Table.Th className="only-wide">Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts?.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td className="wrap-anywhere">
                <Text size="sm" fw={550}>
                  {account.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {account.email}
                </Text>
              </Table.Td>
              <Table.Td>
                {account.operator ? <Tag tone="violet">operator</Tag> : <Tag tone="plain">account</Tag>}
              </Table.Td>
              <Table.Td className="only-wide">
                <TimeAgo at={account.createdAt} />
              </Table.Td>
            </Table.Tr>
          )) ?? <WaitingRows rows={2} columns={3} />}
        </Table.Tbody>
      </Table>
      <InviteAccount opened={inviting} close={close} />
    </Section>
  )
}

function InviteAccount({ opened, close }: { opened: boolean; close(): void }) {
  const [email, setEmail] = useState('')
  const invite = useMutation({ mutationFn: () => inviteAccount(email.trim() || undefined) })
  const end = () => {
    close()
    invite.reset()
    setEmail('')
  }
  return (
    <Modal opened={opened} onClose={end} title="Invite somebody">
      {invite.data ? (
        <OneTimeLink link={invite.data.link} expiresAt={invite.data.expiresAt} close={end} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            invite.mutate()
          }}
        >
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              You get a link that creates one account. Without a project: they can create their own.
            </Text>
            <TextInput
              label="E-mail address"
              description="Optional: fills in their form."
              type="email"
              data-autofocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Refusal error={invite.error} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={end}>
                Cancel
              </Button>
              <Button type="submit" loading={invite.isPending}>
                Make a link
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
