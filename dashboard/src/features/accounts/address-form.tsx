import { Alert, Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changeAddress } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { asksPassword } from '../../query-client.ts'
import { signedInNow } from './signed-in-now.ts'

/** Asks for a new address; where there is mail, says that it waits for its link to be opened. */
export function AddressForm() {
  const [email, setEmail] = useState('')
  const [currentPassword, setCurrent] = useState('')
  const change = useMutation({
    mutationFn: () => changeAddress({ email, currentPassword }),
    onSuccess: ({ account: changed, sentTo }) => {
      setEmail('')
      setCurrent('')
      if (sentTo !== null) return
      signedInNow(changed)
      notifications.show({ message: `You sign in with ${changed.email} from now on.` })
    },
    meta: asksPassword,
  })
  const sentTo = change.data?.sentTo
  return (
    <div>
      {sentTo && (
        <Alert className="notice" mb="md" title="Almost done">
          A link is on its way to {sentTo}. Open it within a day; until then nothing changes.
        </Alert>
      )}
      <Form
        maw="26rem"
        send={change.mutateAsync}
        error={change.error}
        actions={
          <Group>
            <Button type="submit" loading={change.isPending} disabled={email.trim() === '' || currentPassword === ''}>
              Change address
            </Button>
          </Group>
        }
      >
        <TextInput
          label="New e-mail address"
          type="email"
          required
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide your password', tabIndex: 0 }}
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
      </Form>
    </div>
  )
}
