import { Text, TextInput } from '@mantine/core'
import { inviteAccount } from '../../api/operator.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { OneTimeLink } from '../accounts/one-time-link.tsx'

export function InviteAccount({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Invite somebody"
      action="Make a link"
      initial={{ email: '' }}
      send={({ email }) => inviteAccount(email.trim())}
      outcome={({ link, expiresAt }) => <OneTimeLink link={link} expiresAt={expiresAt} close={close} />}
    >
      {({ email }, set) => (
        <>
          <Text size="sm" c="dimmed">
            You get a link that creates one account. Without a project: they can create their own.
          </Text>
          <TextInput
            label="E-mail address"
            description="Optional: fills in their form."
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
