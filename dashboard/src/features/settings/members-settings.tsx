import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconUserPlus } from '../../icons/icons.ts'
import { type Member, membersQuery } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { isOwner, useProject } from '../projects/project-context.ts'
import { OpenInvitations } from './open-invitations.tsx'
import { RemoveMember } from './remove-member.tsx'
import { RoleSelect } from './role-select.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const InviteMember = lateDialog(() => import('./invite-member.tsx'))

export default function MembersSettings() {
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
      cell: (member) =>
        isOwner(project) ? <RoleSelect member={member} members={members} /> : <Tag tone="plain">{member.role}</Tag>,
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
