import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { SecondStep } from '../../api/second-factors.ts'
import { type Account, resetPassword } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { WaitingBar } from '../../parts/waiting-bar.tsx'
import { NewPasswordField } from './password-field.tsx'
import { SecondStepForm } from './second-step-form.tsx'
import { signedInNow } from './signed-in-now.ts'
import { SpentLink } from './spent-link.tsx'
import { useLink } from './use-link.ts'
import { Welcome } from './welcome.tsx'

/** Opened by a link from the operator or from a mail: the first password of an account, or a new one. */
export function PasswordPage() {
  const { token, data: link, error, refetch } = useLink()
  const [password, setPassword] = useState('')
  const [step, setStep] = useState<SecondStep>()
  const [, go] = useLocation()
  const change = useMutation({
    mutationFn: () => resetPassword({ token, password }),
    onSuccess: ({ account, secondStep }) => (secondStep ? setStep(secondStep) : enter(account)),
  })
  const enter = (account: Account) => {
    signedInNow(account)
    go('/', { replace: true })
  }
  if (step) {
    return (
      <Welcome title="Almost done" description="Your new password is set. Your account asks for more than that.">
        <SecondStepForm step={step} done={enter} again={() => go('/sign-in', { replace: true })} />
      </Welcome>
    )
  }
  if (token === '' || error || (link && link.kind !== 'password')) return <SpentLink error={error} refetch={refetch} />

  return (
    <Welcome
      title="Choose a password"
      description={
        link?.email
          ? `For ${link.email}. Every other session of this account ends, and so do its open invitations.`
          : 'One moment…'
      }
    >
      {link ? (
        <Form
          send={change.mutateAsync}
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
        <WaitingBar height={36} />
      )}
    </Welcome>
  )
}
