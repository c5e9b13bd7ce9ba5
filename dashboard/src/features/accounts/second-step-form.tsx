import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { IconFingerprint } from '../../icons/icons.ts'
import { type SecondStep, takeSecondStep } from '../../api/second-factors.ts'
import type { Account } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { knowsPasskeys, showPasskey } from './passkey.ts'

interface SecondStepFormProps {
  step: SecondStep
  done(account: Account): void
  /** Back to the password. */
  again(): void
}

const CODES_LOST =
  'This service has lost the secret of your app, so that its codes do not work any more. Take one of the recovery ' +
  'codes that you wrote down when you added it; if none is left, ask whoever runs this service.'

/** After the password: a passkey, a code of an app, or a recovery code. */
export function SecondStepForm({ step, done, again }: SecondStepFormProps) {
  const [code, setCode] = useState('')
  const { ticket, methods, codesLost } = step
  const onSuccess = ({ account }: { account: Account }) => done(account)
  const byCode = useMutation({ mutationFn: () => takeSecondStep({ ticket, code }), onSuccess })
  const byPasskey = useMutation({
    mutationFn: async () => takeSecondStep({ ticket, passkey: await showPasskey(step.passkey) }),
    onSuccess,
  })
  const hasPasskey = methods.includes('passkey') && knowsPasskeys()
  const hasCodes = methods.includes('codes')

  return (
    <Form
      send={byCode.mutateAsync}
      error={byCode.error ?? byPasskey.error}
      actions={
        <>
          <Button
            type="submit"
            size="md"
            fullWidth
            variant={hasPasskey ? 'default' : 'filled'}
            loading={byCode.isPending}
            disabled={code.trim() === ''}
          >
            Sign in
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={again}>
            Start again
          </Button>
        </>
      }
    >
      {hasPasskey && (
        <Button
          size="md"
          fullWidth
          leftSection={<IconFingerprint size={20} />}
          loading={byPasskey.isPending}
          onClick={() => byPasskey.mutate()}
        >
          Use your passkey
        </Button>
      )}
      <TextInput
        label={hasCodes ? 'One-time code' : 'Recovery code'}
        description={
          hasCodes
            ? 'The six digits that your app shows, or one of your recovery codes.'
            : codesLost
              ? CODES_LOST
              : 'One of the codes that you wrote down when you added your passkey or app.'
        }
        name="code"
        autoComplete="one-time-code"
        autoFocus={!hasPasskey}
        maxLength={40}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  )
}
