import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { inviteAccount } from '../../api/operator.ts'
import { sessionQuery } from '../../api/session.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { oneTimeLink } from '../accounts/one-time-link.tsx'

export default function InviteAccount({ opened, close }: { opened: boolean; close(): void }) {
  const mail = useQuery(sessionQuery).data?.mail
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Invite somebody"
      action={mail ? 'Invite' : 'Make a link'}
      initial={{ email: '' }}
      send={({ email }) => inviteAccount(email.trim())}
      secret={(invitation) => oneTimeLink('Invitation', invitation)}
    >
      {({ email }, set) => (
        <>
          <Text size="sm" c="dimmed">
            You get a link that creates one account. Without a project: they can create their own.
          </Text>
          <TextInput
            label="E-mail address"
            description={mail ? 'Optional: the link is mailed there, too.' : 'Optional: fills in their form.'}
            type="email"
            data-autofocus
            value={email}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
        </>
      )}
    </FormDialog>
  )
}
