import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { sessionQuery } from '../../api/session.ts'
import { SignInForm } from './sign-in-form.tsx'
import { safeReturn, signedInNow } from './signed-in-now.ts'
import { Welcome } from './welcome.tsx'

export function SignInPage() {
  const { data } = useQuery(sessionQuery)
  const [, go] = useLocation()
  const to = safeReturn(useSearch())
  if (data?.account) return <Redirect to={to} replace />

  return (
    <Welcome
      title="Sign in"
      below={
        data?.signup === 'open' ? (
          <>
            New here?{' '}
            <Anchor component={Link} href="/sign-up" size="sm">
              Create an account
            </Anchor>
          </>
        ) : (
          'No account yet? The owner of a project, or whoever runs this service, can invite you.'
        )
      }
    >
      <SignInForm
        done={(account) => {
          signedInNow(account)
          go(to, { replace: true })
        }}
      />
    </Welcome>
  )
}
