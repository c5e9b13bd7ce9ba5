import { QueryCache, QueryClient } from '@tanstack/react-query'
import { PetstoreConnectionError, PetstoreError } from '../../client/src/platform/platform.ts'
import { isPassing } from './api/platform.ts'
import { type Session, SESSION_KEY } from './api/session.ts'
import { lookForService, whenBack } from './connection.ts'
import { sessionEnded } from './session-ended.ts'

const RETRIES_MAX = 2

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: judge }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the request itself caused stays as it is; what the way there caused may pass.
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
      retryDelay: (count) => 500 * 2 ** count,
      // Requests fail where there is no network, and say so; they would wait in silence otherwise.
      networkMode: 'always',
    },
    mutations: { onError: judge, networkMode: 'always' },
  },
})

whenBack(() => void queryClient.invalidateQueries())

/** What a failure says about more than its request. */
function judge(error: unknown): void {
  if (error instanceof PetstoreConnectionError) void lookForService()
  if (!(error instanceof PetstoreError) || error.status !== 401) return
  if (queryClient.getQueryData<Session>(SESSION_KEY)?.account) sessionEnded.set(true)
}
