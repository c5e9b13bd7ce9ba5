import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { PetstoreConnectionError, PetstoreError } from '../../client/src/platform/platform.ts'
import { askForAccount, isInDoubt, isPassing } from './api/platform.ts'
import { type Session, SESSION_KEY } from './api/session.ts'
import { lookForService, whenBack } from './connection.ts'
import { asksAgain, sessionEnded } from './session-ended.ts'

const RETRIES_MAX = 2

const ASKS_PASSWORD = 'asksPassword'
/** Of a form in which a wrong password is a 401, and no end of the session. */
export const asksPassword = { [ASKS_PASSWORD]: true }

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: judge }),
  // Not among the defaults, which a page that says in its own words what failed would replace.
  mutationCache: new MutationCache({
    onError: (error, _variables, _before, { meta }) => meta?.[ASKS_PASSWORD] !== true && judge(error),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the request itself caused stays as it is; what the way there caused may pass.
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
      retryDelay: (count) => 500 * 2 ** count,
      // Requests fail where there is no network, and say so; they would wait in silence otherwise.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

askForAccount(() => accountKnown()?.id)
whenBack(() => void queryClient.invalidateQueries())

const accountKnown = () => queryClient.getQueryData<Session>(SESSION_KEY)?.account

/** What a failure says about more than its request. */
function judge(error: unknown): void {
  if (isInDoubt(error)) void showWhatIsDone()
  else if (error instanceof PetstoreConnectionError) void lookForService()
  if (!(error instanceof PetstoreError) || error.status !== 401) return
  if (!accountKnown()) return
  if (asksAgain.get()) sessionEnded.set(true)
  else void queryClient.invalidateQueries({ queryKey: SESSION_KEY })
}

/** Whoever is told to look finds it, as soon as somebody answers. */
async function showWhatIsDone(): Promise<void> {
  await lookForService()
  await queryClient.invalidateQueries()
}
