import { notifications, useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useAccount } from '../api/session.ts'
import { importMark } from '../features/pets/import/import-mark.ts'
import { useCarriedEnvironment } from './environment.ts'
import { ProjectPages } from './project-pages.tsx'
import { Frame } from './frame.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { AccountPage, OperatorPage, ProjectsPage, SandboxConnectPage, SandboxPage } from './pages.ts'
import { useOnceOpened } from '../parts/use-once-opened.ts'
import { asksAgain, sessionEnded } from '../session-ended.ts'
import { WaitingPage } from '../parts/waiting.tsx'
import { HomePage } from './home-page.tsx'

const SessionEndedDialog = lazy(() => import('./session-ended-dialog.tsx'))
const Messages = lazy(() => import('./messages.tsx'))

/** Every page of somebody who is signed in. */
export default function SignedIn() {
  return (
    <Router {...useCarriedEnvironment()}>
      <Inside />
    </Router>
  )
}

function Inside() {
  useResumedImport()
  return (
    <Frame>
      <Above />
      <Suspense fallback={<WaitingPage />}>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/projects" component={ProjectsPage} />
          <Route path="/projects/:slug/*?">{({ slug }) => <ProjectPages key={slug} slug={slug} />}</Route>
          <Route path="/account/:tab?" component={AccountPage} />
          <Route
            path="/sandbox/connect/v2/domainTemplates/providers/:provider/services/:service/apply"
            component={SandboxConnectPage}
          />
          <Route path="/sandbox/:apex?" component={SandboxPage} />
          <Route path="/operator/:tab?" component={OperatorPage} />
          {/* Links from mails and terminals. */}
          <Route path="/dashboard/*?">
            {(parameters) => <Redirect to={`/${parameters['*'] ?? ''}${location.hash}`} replace />}
          </Route>
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Frame>
  )
}

/** Messages and the dialog of an ended session: loaded when there is the first. */
function Above() {
  const hasMessages = useOnceOpened(useNotifications().notifications.length > 0)
  const hasEnded = useOnceOpened(sessionEnded.use())
  useEffect(() => {
    asksAgain.set(true)
    // Told to whoever was here before, who alone may take back what they have done.
    notifications.clean()
    return () => asksAgain.set(false)
  }, [])
  return (
    <Suspense>
      {hasEnded && <SessionEndedDialog />}
      {hasMessages && <Messages position="bottom-right" />}
    </Suspense>
  )
}

/** What a reload has interrupted goes on by itself; its code is loaded only where there is something. */
function useResumedImport(): void {
  const { id } = useAccount()
  useEffect(() => {
    if (importMark() !== id) return undefined
    const leaving = new AbortController()
    void import('../features/pets/import/run-import.tsx').then(({ resumeImport }) => resumeImport(id, leaving.signal))
    return () => leaving.abort()
  }, [id])
}
