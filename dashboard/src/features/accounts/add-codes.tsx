import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { beginCodes, confirmCodes } from '../../api/second-factors.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { showOnce } from '../../parts/shown-once.tsx'
import { staySignal } from '../../stay.ts'
import { CurrentPassword } from './current-password.tsx'
import { recoveryCodesOnce } from './recovery-codes.tsx'
import { SetupPicture } from './setup-picture.tsx'

interface AddCodesProps {
  opened: boolean
  close(): void
  added(): void
}

type Setup = Awaited<ReturnType<typeof beginCodes>>

/** Password, then the picture for the app and the first code of it, then the recovery codes. */
export default function AddCodes({ opened, close, added }: AddCodesProps) {
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Add one-time codes"
      action="Continue"
      forgetful
      initial={{ currentPassword: '' }}
      isComplete={({ currentPassword }) => currentPassword !== ''}
      send={({ currentPassword }) => beginCodes(currentPassword)}
      outcome={(setup: Setup) => <ConfirmCodes setup={setup} close={close} added={added} />}
    >
      {({ currentPassword }, set) => (
        <CurrentPassword value={currentPassword} set={(changed) => set({ currentPassword: changed })} />
      )}
    </FormDialog>
  )
}

function ConfirmCodes({ setup, close, added }: Omit<AddCodesProps, 'opened'> & { setup: Setup }) {
  const { ticket, secret, uri } = setup
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => confirmCodes({ ticket, code: code.replaceAll(/\s/g, ''), name: 'Authenticator app' }),
    onMutate: () => staySignal(),
    onSuccess: ({ recoveryCodes }, _, stay) => {
      if (stay.aborted) return
      close()
      if (recoveryCodes) showOnce(recoveryCodesOnce(recoveryCodes))
      added()
      notifications.show({ message: 'One-time codes are switched on.' })
    },
  })
  return (
    <Form
      send={confirm.mutateAsync}
      once
      error={confirm.error}
      actions={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ''}>
            Switch on
          </Button>
        </Group>
      }
    >
      <Text size="sm">Scan this with an authenticator app, then type the code that it shows.</Text>
      <Stack align="center" gap="xs">
        <SetupPicture uri={uri} />
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            or type <code className="mono wrap-anywhere">{secret}</code>
          </Text>
          <CopyIcon value={secret} what="the secret" />
        </Group>
      </Stack>
      <TextInput
        label="One-time code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        maxLength={10}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  )
}
