import { Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { messageOf } from '../../api/api-error.ts'
import { changeRole, type Member, membersQuery, removeMember, type Role } from '../../api/members.ts'
import { leaveProject, projectsQuery } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { ActionsHead } from '../../parts/actions-head.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingRows } from '../../parts/waiting.tsx'
import { queryClient } from '../../query-client.ts'
import { isOwner, useProject } from '../projects/project-context.ts'
import { InviteMember } from './invite-member.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { ROLE_CHOICES } from './role-choices.ts'

export function MembersSettings() {
  const project = useProject()
  const { data: members, error, refetch } = useQuery(membersQuery(project.slug))
  const [inviting, { open, close }] = useDisclosure(false)
  if (error && !members) return <Trouble error={error} retry={() => void refetch()} />
  return (
    <Stack gap="lg">
      <Section
        flush
        title="Members"
        description="Viewers see everything, editors change it, owners also decide who is here."
        actions={
          isOwner(project) && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
              Invite
            </Button>
          )
        }
      >
        <Table className="rows">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Person</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th className="only-wide">Joined</Table.Th>
              <ActionsHead />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members?.map((member) => <MemberRow key={member.id} member={member} />) ?? (
              <WaitingRows rows={2} columns={4} />
            )}
          </Table.Tbody>
        </Table>
      </Section>
      {isOwner(project) && <OpenInvitations />}
      <InviteMember opened={inviting} close={close} />
    </Stack>
  )
}

function MemberRow({ member }: { member: Member }) {
  const project = useProject()
  const account = useAccount()
  const [, go] = useLocation()
  const [asking, { open, close }] = useDisclosure(false)
  const isMe = member.id === account.id
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['projects', project.slug, 'members'] })
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(project.slug, member.id, role),
    onSuccess: (_, role) => notifications.show({ message: `${member.name} is ${role} now.` }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The role was not changed', message: messageOf(error) }),
    onSettled: () => Promise.all([refresh(), isMe && queryClient.invalidateQueries(projectsQuery)]),
  })
  const remove = useMutation({
    mutationFn: () => (isMe ? leaveProject(project.slug) : removeMember(project.slug, member.id)),
    onSuccess: async () => {
      close()
      if (isMe) go('/projects')
      await (isMe ? queryClient.invalidateQueries({ queryKey: ['projects'] }) : refresh())
      notifications.show({ message: isMe ? `You have left ${project.name}.` : `${member.name} has been removed.` })
    },
  })
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere">
        <Group gap={6}>
          <Text size="sm" fw={550}>
            {member.name}
          </Text>
          {isMe && <Tag tone="plain">you</Tag>}
        </Group>
        <Text size="xs" c="dimmed">
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td>
        {isOwner(project) ? (
          <Select
            aria-label={`Role of ${member.name}`}
            size="xs"
            w={110}
            data={ROLE_CHOICES}
            allowDeselect={false}
            value={change.isPending ? change.variables : member.role}
            disabled={change.isPending}
            onChange={(role) => change.mutate(role as Role)}
          />
        ) : (
          <Tag tone="plain">{member.role}</Tag>
        )}
      </Table.Td>
      <Table.Td className="only-wide">
        <TimeAgo at={member.joinedAt} />
      </Table.Td>
      <Table.Td ta="right">
        {(isOwner(project) || isMe) && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
            {isMe ? 'Leave' : 'Remove'}
          </Button>
        )}
        <Confirm
          opened={asking}
          close={close}
          title={isMe ? `Leave ${project.name}?` : `Remove ${member.name}?`}
          action={isMe ? 'Leave' : 'Remove'}
          pending={remove.isPending}
          error={remove.error}
          run={() => remove.mutate()}
        >
          <p>
            {isMe
              ? 'You lose sight of this project at once. An owner can invite you again.'
              : `${member.name} loses sight of this project at once. The account stays, and you can invite it again.`}
          </p>
        </Confirm>
      </Table.Td>
    </Table.Tr>
  )
}
