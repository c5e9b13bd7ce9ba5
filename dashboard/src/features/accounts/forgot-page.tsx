import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { forgotPassword, sessionQuery } from '../../api/session.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Form } from '../../parts/form.tsx'
import { WaitingBar } from '../../parts/waiting-bar.tsx'
import { Welcome } from './welcome.tsx'

/** A link by mail; where there is no mail, whom to ask for one. */
export function ForgotPage() {
  const { data: session } = useQuery(sessionQuery)
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => forgotPassword(email) })
  const below = (
    <Anchor component={Link} href="/sign-in" size="sm">
      Back to sign in
    </Anchor>
  )
  if (ask.isSuccess) {
    return (
      <Welcome
        title="Look into your mailbox"
        description={
          `If there is an account with the address ${email}, a link is on its way there. It works once, for a day. ` +
          'Nothing comes? Look among the unwanted mails, and check how the address is written.'
        }
        below={below}
      />
    )
  }
  return (
    <Welcome title="Choose a new password" description={session && descriptionOf(session.mail)} below={below}>
      {session === undefined ? (
        <WaitingBar height={36} />
      ) : session.mail ? (
        <Form
          send={ask.mutateAsync}
          error={ask.error}
          actions={
            <Button type="submit" size="md" fullWidth loading={ask.isPending}>
              Send me a link
            </Button>
          }
        >
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </Form>
      ) : (
        <Stack gap="xs">
          <Text size="sm">If that is you, this command prints the link:</Text>
          <CodeBlock code="npx petstore users reset-password you@example.com" what="the command" />
        </Stack>
      )}
    </Welcome>
  )
}

const descriptionOf = (mail: boolean) =>
  mail
    ? 'You get a link by mail, on which you choose it.'
    : 'Ask whoever runs this service for a link. It works once, for a day, and opens a page on which you ' +
      'choose a new password.'
