import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { beginPasskey, confirmPasskey, type NewSecondFactor } from '../../api/second-factors.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CurrentPassword } from './current-password.tsx'
import { makePasskey } from './passkey.ts'
import { recoveryCodesOnce } from './recovery-codes.tsx'

interface AddFactorProps {
  opened: boolean
  close(): void
  added(): void
}

export default function AddPasskey({ opened, close, added }: AddFactorProps) {
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Add a passkey"
      action="Continue"
      forgetful
      initial={{ currentPassword: '', name: '' }}
      isComplete={({ currentPassword, name }) => currentPassword !== '' && name.trim() !== ''}
      send={async ({ currentPassword, name }) => {
        const { ticket, options } = await beginPasskey(currentPassword)
        return confirmPasskey({ ticket, passkey: await makePasskey(options), name })
      }}
      secret={({ recoveryCodes }: NewSecondFactor) => (recoveryCodes ? recoveryCodesOnce(recoveryCodes) : undefined)}
      sent={() => {
        added()
        notifications.show({ message: 'The passkey has been added.' })
      }}
    >
      {({ currentPassword, name }, set) => (
        <>
          <CurrentPassword value={currentPassword} set={(changed) => set({ currentPassword: changed })} />
          <TextInput
            label="Name"
            description="To recognise it later: “Ada’s phone”, “the key on my ring”."
            required
            maxLength={100}
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        </>
      )}
    </FormDialog>
  )
}
