import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { acceptInvitation, type Account, type LinkView, sessionQuery, signOut } from '../../api/session.ts'
import { queryClient } from '../../query-client.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { WaitingBar } from '../../parts/waiting-bar.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { signedInNow } from './signed-in-now.ts'
import { SpentLink } from './spent-link.tsx'
import { useLink } from './use-link.ts'
import { Welcome } from './welcome.tsx'

/** The first owner's link and every invitation end here. */
export function JoinPage() {
  const { token, data: link, error, refetch } = useLink()
  const session = useQuery(sessionQuery)
  if (token === '' || error || link?.kind === 'password') return <SpentLink error={error} refetch={refetch} />
  if (!link || !session.data) {
    return (
      <Welcome title="One moment…">
        <Stack role="status" aria-label="Looking at your invitation">
          <WaitingBar height={36} />
          <WaitingBar height={36} />
        </Stack>
      </Welcome>
    )
  }
  return session.data.account ? (
    <Accept account={session.data.account} token={token} link={link} />
  ) : (
    <SignUpOrIn token={token} link={link} />
  )
}

function SignUpOrIn({ token, link }: { token: string; link: LinkView }) {
  const [hasAccount, setHasAccount] = useState(false)
  const [, go] = useLocation()
  return (
    <Welcome
      title={titleOf(link)}
      description={hasAccount ? 'Sign in, and the invitation is yours.' : descriptionOf(link)}
      below={
        link.operator ? undefined : (
          <Anchor component="button" type="button" size="sm" onClick={() => setHasAccount(!hasAccount)}>
            {hasAccount ? 'Create an account instead' : 'I have an account already'}
          </Anchor>
        )
      }
    >
      {hasAccount ? (
        <SignInForm {...(link.email ? { email: link.email } : {})} done={signedInNow} />
      ) : (
        <SignUpForm
          token={token}
          {...(link.email ? { email: link.email } : {})}
          done={(account) => {
            signedInNow(account)
            go(link.project ? `/projects/${link.project.slug}` : '/', { replace: true })
          }}
        />
      )}
    </Welcome>
  )
}

function Accept({ account, token, link }: { account: Account; token: string; link: LinkView }) {
  const [, go] = useLocation()
  const accept = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: async ({ project }) => {
      await queryClient.invalidateQueries({ queryKey: ['projects'] })
      go(project ? `/projects/${project.slug}` : '/', { replace: true })
    },
  })
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <Welcome title={titleOf(link)} description={descriptionOf(link)}>
      <Stack gap="md">
        <Text size="sm">
          You are signed in as <strong>{account.email}</strong>.
        </Text>
        <Refusal error={accept.error} />
        <Button size="md" fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
          {link.project ? `Join ${link.project.name}` : 'Accept'}
        </Button>
        <Button variant="default" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
          Use another account
        </Button>
        {accept.error ? (
          <Anchor component={Link} href="/" size="sm" ta="center">
            Go to the dashboard
          </Anchor>
        ) : null}
      </Stack>
    </Welcome>
  )
}

function titleOf({ project, operator }: LinkView): string {
  if (operator) return 'Welcome to your Petstore'
  return project ? `Join ${project.name}` : 'Create your account'
}

function descriptionOf({ project, role, operator }: LinkView): string {
  if (operator) return 'Create your account: you will be its operator and the owner of the first project.'
  if (!project) return 'You have been invited.'
  return `You have been invited to the project ${project.name} as ${role === 'viewer' ? 'a viewer' : `an ${role}`}.`
}
