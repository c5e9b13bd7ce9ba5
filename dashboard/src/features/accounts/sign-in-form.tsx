import { Anchor, Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { IconFingerprint } from '../../icons/icons.ts'
import { PetstoreError } from '../../../../client/src/platform/platform.ts'
import { beginPasskeySignIn, type SecondStep, signInByPasskey } from '../../api/second-factors.ts'
import { type Account, signIn } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { asksPassword } from '../../query-client.ts'
import { knowsPasskeys, showPasskey } from './passkey.ts'
import { SecondStepForm } from './second-step-form.tsx'

export function SignInForm({ email: known = '', done }: { email?: string; done(account: Account): void }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [step, setStep] = useState<SecondStep>()
  const attempt = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: ({ account, secondStep }) => (secondStep ? setStep(secondStep) : done(account)),
    // A service that does not answer, or has no place for a moment, says nothing about the password.
    onError: (error) => error instanceof PetstoreError && error.status === 401 && setPassword(''),
    meta: asksPassword,
  })

  const byPasskey = useMutation({
    mutationFn: async () => {
      const { ticket, options } = await beginPasskeySignIn()
      return signInByPasskey({ ticket, passkey: await showPasskey(options) })
    },
    onSuccess: ({ account }) => done(account),
  })
  if (step) return <SecondStepForm step={step} done={done} again={() => setStep(undefined)} />

  return (
    <Form
      send={attempt.mutateAsync}
      error={attempt.error ?? byPasskey.error}
      actions={
        <>
          <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
            Sign in
          </Button>
          {knowsPasskeys() && (
            <Button
              variant="default"
              size="md"
              fullWidth
              leftSection={<IconFingerprint size={20} />}
              loading={byPasskey.isPending}
              onClick={() => byPasskey.mutate()}
            >
              Sign in with a passkey
            </Button>
          )}
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
        {...(known === '' ? {} : { 'data-autofocus': true })}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Form>
  )
}
