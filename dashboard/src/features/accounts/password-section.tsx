import { Button, Group, PasswordInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, useAccount } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { asksPassword } from '../../query-client.ts'
import { NewPasswordField } from './password-field.tsx'

export function PasswordSection() {
  const { email } = useAccount()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useMutation({
    mutationFn: () => changePassword({ currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent('')
      setNew('')
      notifications.show({ message: 'Your password has been changed. Every other session has ended.' })
    },
    meta: asksPassword,
  })
  return (
    <Section
      title="Password"
      description="A new password ends every other session of yours, and invitations of yours that are still open."
    >
      <Form
        maw="26rem"
        send={change.mutateAsync}
        error={change.error}
        actions={
          <Group>
            <Button type="submit" loading={change.isPending} disabled={currentPassword === '' || newPassword === ''}>
              Change password
            </Button>
          </Group>
        }
      >
        {/* Lets password managers know whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password', tabIndex: 0 }}
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPasswordField label="New password" value={newPassword} onChange={setNew} />
      </Form>
    </Section>
  )
}
