import { QueryCache, QueryClient } from '@tanstack/react-query'
import { PetstoreError } from '../../client/src/platform/platform.ts'
import { isPassing } from './api/platform.ts'
import { type Session, SESSION_KEY } from './api/session.ts'

const RETRIES_MAX = 2

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the request itself caused stays as it is; what the way there caused may pass.
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { onError: endSession },
  },
})

/** Whoever has been signed out elsewhere gets the sign-in page, and comes back to where they were. */
function endSession(error: unknown): void {
  if (!(error instanceof PetstoreError) || error.status !== 401) return
  queryClient.setQueryData<Session>(SESSION_KEY, (session) => session && { ...session, account: null })
}
