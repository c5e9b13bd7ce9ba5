import { queryClient } from '../../query-client.ts'
import { type Account, SESSION_KEY, type Session } from '../../api/session.ts'
import { sessionEnded } from '../../session-ended.ts'

const UNKNOWN = { signup: 'invite', mail: false } as const

/** Nothing that an earlier account has seen stays in memory. */
export function signedInNow(account: Account): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  queryClient.setQueryData<Session>(SESSION_KEY, (known) => ({ ...UNKNOWN, ...known, account }))
  sessionEnded.set(false)
}

/** Nobody is signed in here any more, and nothing of theirs stays in memory. */
export function signedOutNow(): void {
  const session = queryClient.getQueryData<Session>(SESSION_KEY)
  queryClient.clear()
  queryClient.setQueryData<Session>(SESSION_KEY, session && { ...session, account: null })
  sessionEnded.set(false)
}

/** Only to pages of this dashboard: an address of somebody else could be in there. */
export function safeReturn(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '/'
  const url = URL.canParse(to, location.origin) ? new URL(to, location.origin) : null
  return url?.origin === location.origin && to.startsWith('/') ? url.pathname + url.search : '/'
}
