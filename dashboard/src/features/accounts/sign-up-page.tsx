import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Redirect, useLocation } from 'wouter'
import { sessionQuery } from '../../api/session.ts'
import { SignUpForm } from './sign-up-form.tsx'
import { signedInNow } from './signed-in-now.ts'
import { Welcome } from './welcome.tsx'

export function SignUpPage() {
  const { data } = useQuery(sessionQuery)
  const [, go] = useLocation()
  if (data?.account) return <Redirect to="/" replace />
  if (data?.signup === 'invite') {
    return (
      <Welcome
        title="By invitation only"
        description={
          'An account needs an invitation here: ask the owner of a project, or whoever runs this service, for ' +
          'a link.'
        }
      >
        <Button component={Link} href="/sign-in" fullWidth>
          Sign in instead
        </Button>
      </Welcome>
    )
  }
  return (
    <Welcome
      title="Create an account"
      below={
        <>
          You have one already?{' '}
          <Anchor component={Link} href="/sign-in" size="sm">
            Sign in
          </Anchor>
        </>
      }
    >
      <SignUpForm
        done={(account) => {
          signedInNow(account)
          go('/', { replace: true })
        }}
      />
    </Welcome>
  )
}
