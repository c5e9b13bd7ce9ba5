import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/api-error.ts'
import { SESSION_KEY, type SessionView } from './api/session.ts'

const RETRIES_MAX = 2

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the request itself caused stays as it is; what the way there caused may pass.
      retry: (count, error) => count < RETRIES_MAX && error instanceof ApiError && error.isPassing,
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { onError: endSession },
  },
})

/** Whoever has been signed out elsewhere gets the sign-in page, and comes back to where they were. */
function endSession(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  queryClient.setQueryData<SessionView>(SESSION_KEY, (session) => session && { ...session, account: null })
}
