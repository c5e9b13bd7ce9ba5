import { installationQuery } from './api/installation.ts'
import { projectsQuery } from './api/projects.ts'
import { type Session, sessionQuery } from './api/session.ts'
import { pageAt } from './frame/pages.ts'
import { latePage } from './parts/late-page.ts'
import { queryClient } from './query-client.ts'

export const Outside = latePage(() => import('./features/accounts/outside.tsx'))
export const SignedIn = latePage(() => import('./frame/signed-in.tsx'))

/** The pages of those who are not signed in. */
export const OUTSIDE = /^\/(?:sign-in|sign-up|forgot|join|password|email)$/

/**
 * Asks at once for all that the first view needs, code and answers, so that it is drawn once: one after the other,
 * with an outline in between, it was painted a second later on a processor four times slower.
 */
export async function loadFirstView(path: string): Promise<void> {
  const session = queryClient.fetchQuery(sessionQuery)
  if (OUTSIDE.test(path)) return Outside.early()
  const page = pageAt(path)
  await Promise.all([
    SignedIn.early(),
    session.then(loadForAccount),
    Promise.all([session, page?.early()]).then(([who]) => isInside(who) && page?.ask()),
  ])
}

const isInside = ({ account, mail }: Session) => account && !(mail && account.mustConfirm)

async function loadForAccount(session: Session): Promise<void> {
  if (!isInside(session)) return
  await Promise.all([queryClient.prefetchQuery(installationQuery), queryClient.prefetchQuery(projectsQuery)])
}
