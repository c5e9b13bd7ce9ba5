import { Button, Skeleton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { resetPassword } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { NewPasswordField } from './password-field.tsx'
import { signedInNow } from './signed-in-now.ts'
import { SpentLink } from './spent-link.tsx'
import { useLink } from './use-link.ts'
import { Welcome } from './welcome.tsx'

/** Opened by a link from the operator: the first password of an account, or a new one. */
export function PasswordPage() {
  const { token, data: link, error } = useLink()
  const [password, setPassword] = useState('')
  const [, go] = useLocation()
  const change = useMutation({
    mutationFn: () => resetPassword({ token, password }),
    onSuccess: ({ account }) => {
      signedInNow(account)
      go('/', { replace: true })
    },
  })
  if (token === '' || error || (link && link.kind !== 'password')) return <SpentLink error={error} />

  return (
    <Welcome
      title="Choose a password"
      description={link?.email ? `For ${link.email}. Every other session of this account ends.` : 'One moment…'}
    >
      {link ? (
        <Form
          send={change.mutate}
          error={change.error}
          actions={
            <Button type="submit" size="md" fullWidth loading={change.isPending}>
              Set password and sign in
            </Button>
          }
        >
          <NewPasswordField value={password} onChange={setPassword} autoFocus />
        </Form>
      ) : (
        <Skeleton height={36} />
      )}
    </Welcome>
  )
}
