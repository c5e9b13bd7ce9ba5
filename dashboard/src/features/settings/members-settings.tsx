import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { messageOf } from '../../api/platform.ts'
import { changeRole, type Member, membersQuery, removeMember, type Role } from '../../api/members.ts'
import { leaveProject, projectsQuery } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { isOwner, useProject } from '../projects/project-context.ts'
import { InviteMember } from './invite-member.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { ROLE_CHOICES } from './role-choices.ts'

export function MembersSettings() {
  const project = useProject()
  const account = useAccount()
  const [inviting, { open, close }] = useDisclosure(false)
  const columns: Column<Member>[] = [
    {
      head: 'Person',
      className: 'wrap-anywhere',
      cell: ({ id, name, email }) => (
        <>
          <Group gap={6}>
            <Text size="sm" fw={550}>
              {name}
            </Text>
            {id === account.id && <Tag tone="plain">you</Tag>}
          </Group>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </>
      ),
    },
    {
      head: 'Role',
      cell: (member) => (isOwner(project) ? <RoleSelect member={member} /> : <Tag tone="plain">{member.role}</Tag>),
    },
    { head: 'Joined', onlyWide: true, cell: ({ joinedAt }) => <TimeAgo at={joinedAt} /> },
    { ta: 'right', cell: (member) => <RemoveMember member={member} /> },
  ]
  return (
    <QueryGuard query={useQuery(membersQuery(project.slug))}>
      {(members) => (
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
            <DataTable columns={columns} items={members} keyOf={({ id }) => id} waitingRows={2} />
          </Section>
          {isOwner(project) && <OpenInvitations />}
          <InviteMember opened={inviting} close={close} />
        </Stack>
      )}
    </QueryGuard>
  )
}

const refresh = (slug: string) => queryClient.invalidateQueries({ queryKey: membersQuery(slug).queryKey })

function RoleSelect({ member }: { member: Member }) {
  const { slug } = useProject()
  const account = useAccount()
  const change = useMutation({
    mutationFn: (role: Role) => changeRole(slug, member.id, role),
    onSuccess: (_, role) => notifications.show({ message: `${member.name} is ${role} now.` }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The role was not changed', message: messageOf(error) }),
    onSettled: () =>
      Promise.all([refresh(slug), member.id === account.id && queryClient.invalidateQueries(projectsQuery)]),
  })
  return (
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
  )
}

function RemoveMember({ member }: { member: Member }) {
  const project = useProject()
  const isMe = member.id === useAccount().id
  const [, go] = useLocation()
  const [asking, { open, close }] = useDisclosure(false)
  const verb = isMe ? 'Leave' : 'Remove'
  if (!isOwner(project) && !isMe) return null
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
        {verb}
      </Button>
      <Confirm
        opened={asking}
        close={close}
        title={`${verb} ${isMe ? project.name : member.name}?`}
        action={verb}
        send={() => (isMe ? leaveProject(project.slug) : removeMember(project.slug, member.id))}
        sent={async () => {
          close()
          if (isMe) go('/projects')
          await (isMe ? queryClient.invalidateQueries({ queryKey: ['projects'] }) : refresh(project.slug))
          notifications.show({ message: isMe ? `You have left ${project.name}.` : `${member.name} has been removed.` })
        }}
      >
        <p>
          {isMe
            ? 'You lose sight of this project at once. An owner can invite you again.'
            : `${member.name} loses sight of this project at once. The account stays, and you can invite it again.`}
        </p>
      </Confirm>
    </>
  )
}
