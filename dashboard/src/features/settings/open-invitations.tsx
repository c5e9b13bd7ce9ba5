import { Button, Table } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { type Invitation, invitationsQuery, withdrawInvitation } from '../../api/members.ts'
import { ActionsHead } from '../../parts/actions-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

export function OpenInvitations() {
  const { slug } = useProject()
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(slug))
  if (error && !invitations) return <Trouble error={error} retry={() => void refetch()} />
  if (!invitations || invitations.length === 0) return null
  return (
    <Section
      flush
      title="Open invitations"
      description="A link that has not been used yet. Withdrawn, it is worthless."
    >
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>For</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th className="only-wide">Expires</Table.Th>
            <ActionsHead />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { slug } = useProject()
  const withdraw = useMutation({
    mutationFn: () => withdrawInvitation(slug, invitation.id),
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(slug).queryKey }),
  })
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere">{invitation.email ?? 'anybody with the link'}</Table.Td>
      <Table.Td>
        <Tag tone="plain">{invitation.role}</Tag>
      </Table.Td>
      <Table.Td className="only-wide">
        <TimeAgo at={invitation.expiresAt} />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate()}
        >
          Withdraw
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
