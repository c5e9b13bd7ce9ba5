import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { messageOf } from '../../api/platform.ts'
import { changeRole, type Member, membersQuery, type Role } from '../../api/members.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { isOwner, useProject } from '../projects/project-context.ts'
import { InviteMember } from './invite-member.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { RemoveMember } from './remove-member.tsx'
import { ROLE_CHOICES } from './role-choices.ts'

export function MembersSettings() {
  const project = useProject()
  const account = useAccount()
  const [inviting, { open, close }] = useDisclosure(false)
  const columns = (members: readonly Member[]): Column<Member>[] => [
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
    { ta: 'right', cell: (member) => <RemoveMember member={member} members={members} /> },
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
            <DataTable columns={columns(members ?? [])} items={members} keyOf={({ id }) => id} waitingRows={2} />
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
