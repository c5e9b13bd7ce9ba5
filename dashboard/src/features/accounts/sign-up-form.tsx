import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, signUp } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { NewPasswordField } from './password-field.tsx'

interface SignUpFormProps {
  /** Of an invitation. */
  token?: string
  email?: string
  done(account: Account): void
}

export function SignUpForm({ token, email: known = '', done }: SignUpFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const attempt = useMutation({
    mutationFn: () => signUp({ name, email, password, ...(token === undefined ? {} : { token }) }),
    onSuccess: ({ account }) => done(account),
  })

  return (
    <Form
      send={attempt.mutateAsync}
      error={attempt.error}
      actions={
        <Button type="submit" size="md" fullWidth loading={attempt.isPending}>
          Create account
        </Button>
      }
    >
      <TextInput
        label="Your name"
        autoComplete="name"
        required
        maxLength={100}
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <NewPasswordField value={password} onChange={setPassword} />
    </Form>
  )
}
