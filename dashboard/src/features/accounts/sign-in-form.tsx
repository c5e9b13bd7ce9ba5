import { Anchor, Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Account, signIn } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'

export function SignInForm({ email: known = '', done }: { email?: string; done(account: Account): void }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const attempt = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: ({ account }) => done(account),
    // A wrong password ends no session.
    onError: () => setPassword(''),
  })

  return (
    <Form
      send={attempt.mutate}
      error={attempt.error}
      actions={
        <>
          <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
            Sign in
          </Button>
          <Group justify="center">
            <Anchor component={Link} href="/forgot" size="sm">
              Forgot your password?
            </Anchor>
          </Group>
        </>
      }
    >
      <TextInput
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={known === ''}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus={known !== ''}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Form>
  )
}
