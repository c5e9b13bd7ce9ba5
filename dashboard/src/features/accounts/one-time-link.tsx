import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { invitationMailQuery, type NewInvitation } from '../../api/members.ts'
import { CopiedLine } from '../../parts/secret-card.tsx'
import type { Secret } from '../../parts/shown-once.tsx'
import { timeText } from '../../parts/time.tsx'

interface OneTimeLinkProps {
  invitation: Pick<NewInvitation, 'id' | 'email' | 'mail' | 'link' | 'expiresAt'>
  close(): void
}

export const oneTimeLink = (title: string, invitation: OneTimeLinkProps['invitation']): Secret => ({
  title,
  content: (close) => <OneTimeLink invitation={invitation} close={close} />,
})

/** A link that is shown once: mailed where there is mail, and to be handed on by whatever way two people trust. */
function OneTimeLink({ invitation, close }: OneTimeLinkProps) {
  const { link, expiresAt } = invitation
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {invitation.mail === null ? (
          'Send this link to the person. Whoever opens it first gets what it promises.'
        ) : (
          <MailState {...invitation} />
        )}
      </Text>
      <CopiedLine value={link} what="the link" />
      <Alert className="notice">It works once, until {timeText(expiresAt)}, and is not shown again.</Alert>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  )
}

function MailState({ id, email }: OneTimeLinkProps['invitation']) {
  const { data } = useQuery(invitationMailQuery(id))
  if (data?.mail === 'sent')
    return `The invitation has been mailed to ${email}. You can also pass the link on yourself.`
  if (data?.mail === 'failing') {
    return `The mail to ${email} could not be sent, and is tried again for three days. Pass the link on yourself.`
  }
  if (data?.mail === 'refused') {
    return `The mail to ${email} was refused: ${data.mailRefusal}. Check the address, or pass the link on yourself.`
  }
  return `The invitation is being mailed to ${email}…`
}
