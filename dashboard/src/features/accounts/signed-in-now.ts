import { queryClient } from '../../query-client.ts'
import { type Account, SESSION_KEY, type Session } from '../../api/session.ts'

/** Nothing that an earlier account has seen stays in memory. */
export function signedInNow(account: Account): void {
  const signup = queryClient.getQueryData<Session>(SESSION_KEY)?.signup ?? 'invite'
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  queryClient.setQueryData<Session>(SESSION_KEY, { account, signup })
}

/** Only to pages of this dashboard: an address of somebody else could be in there. */
export function safeReturn(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '/'
  const url = URL.canParse(to, location.origin) ? new URL(to, location.origin) : null
  return url?.origin === location.origin && to.startsWith('/') ? url.pathname + url.search : '/'
}
