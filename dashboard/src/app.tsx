import './frame/frame.css'
import './parts/parts.css'
import { Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { installationQuery } from './api/installation.ts'
import { sessionQuery } from './api/session.ts'
import { OUTSIDE, Outside, SignedIn } from './first-view.ts'
import { LastResort } from './frame/last-resort.tsx'
import { OfflineBanner } from './frame/offline-banner.tsx'
import { useAbovePages } from './parts/above-pages.ts'
import { Trouble } from './parts/trouble.tsx'

const ConfirmFirstPage = lazy(() => import('./features/accounts/confirm-first-page.tsx'))

/** What can be seen without being signed in is one bundle, and everything else another. */
export function App() {
  return (
    <>
      <div className="above-pages">{useAbovePages()}</div>
      <OfflineBanner />
      <LastResort>
        <Switch>
          <Route path={OUTSIDE}>
            <Suspense fallback={<Opening />}>
              <Outside />
            </Suspense>
          </Route>
          <Route>
            <Suspense fallback={<Opening />}>
              <Gate />
            </Suspense>
          </Route>
        </Switch>
      </LastResort>
    </>
  )
}

function Gate() {
  const session = useQuery(sessionQuery)
  const account = session.data?.account
  const mustConfirm = Boolean(session.data?.mail && account?.mustConfirm)
  const installation = useQuery({ ...installationQuery, enabled: Boolean(account) && !mustConfirm })
  const failed = [session, installation].find(({ isError, data }) => isError && !data)
  if (failed) {
    return (
      <Center mih="100dvh" p="md">
        <Trouble error={failed.error} retry={() => void failed.refetch()} />
      </Center>
    )
  }
  if (session.data && !account) return <Redirect to={`/sign-in${returnTo()}`} replace />
  if (mustConfirm) return <ConfirmFirstPage />
  if (!account || !installation.data) return <Opening />
  // Another account begins anew, whatever was open.
  return <SignedIn key={account.id} />
}

/** Where to go after signing in; the start page needs no mention. */
function returnTo(): string {
  const path = location.pathname + location.search
  return path === '/' ? '' : `?to=${encodeURIComponent(path)}`
}

function Opening() {
  return (
    <Center mih="100dvh" role="status" aria-label="Loading the dashboard">
      <Loader type="dots" />
    </Center>
  )
}
