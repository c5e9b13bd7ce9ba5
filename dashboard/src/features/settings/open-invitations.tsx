import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Invitation, invitationsQuery, withdrawInvitation } from '../../api/members.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

const MAIL = { queued: 'mail on its way', sent: 'mail sent', failing: 'mail could not be sent yet' }

const COLUMNS: Column<Invitation>[] = [
  {
    head: 'For',
    className: 'wrap-anywhere',
    cell: (invitation) => (
      <>
        <Text size="sm">{invitation.email ?? 'anybody with the link'}</Text>
        <MailState {...invitation} />
      </>
    ),
  },
  { head: 'Role', cell: ({ role }) => <Tag tone="plain">{role}</Tag> },
  { head: 'Expires', onlyWide: true, cell: ({ expiresAt }) => <TimeAgo at={expiresAt} /> },
  { ta: 'right', cell: (invitation) => <Withdraw invitation={invitation} /> },
]

function MailState({ mail, mailRefusal }: Invitation) {
  if (mail === null) return null
  if (mail === 'refused') {
    return (
      <Text size="xs" c="var(--red)">
        mail refused: {mailRefusal}
      </Text>
    )
  }
  return (
    <Text size="xs" c="dimmed">
      {MAIL[mail]}
    </Text>
  )
}

export function OpenInvitations() {
  const { slug } = useProject()
  return (
    <QueryGuard query={useQuery(invitationsQuery(slug))} waiting={<></>}>
      {(invitations) =>
        invitations.length > 0 && (
          <Section
            flush
            title="Open invitations"
            description="A link that has not been used yet. Withdrawn, it is worthless."
          >
            <DataTable columns={COLUMNS} items={invitations} keyOf={({ id }) => id} />
          </Section>
        )
      }
    </QueryGuard>
  )
}

function Withdraw({ invitation: { id, email, role } }: { invitation: Invitation }) {
  const { slug } = useProject()
  const [asking, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={open}
        aria-label={`Withdraw the invitation of ${email ?? `a new ${role}`}`}
      >
        Withdraw
      </Button>
      <Confirm
        opened={asking}
        close={close}
        title="Withdraw this invitation?"
        action="Withdraw"
        send={() => withdrawInvitation(slug, id)}
        sent={() => void queryClient.invalidateQueries({ queryKey: invitationsQuery(slug).queryKey })}
      >
        <p>Its link is worthless from then on, also for whoever has it already. A new invitation has another link.</p>
      </Confirm>
    </>
  )
}
