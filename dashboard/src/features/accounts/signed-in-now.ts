import { installationQuery } from '../../api/installation.ts'
import { queryClient } from '../../query-client.ts'
import { type Account, SESSION_KEY, type Session } from '../../api/session.ts'
import { sessionEnded } from '../../session-ended.ts'
import { endStay } from '../../stay.ts'

/** The installation is the same for all, and no page can be shown without it. */
const OF_EVERYBODY = new Set<unknown>([SESSION_KEY[0], installationQuery.queryKey[0]])
const UNKNOWN = { signup: 'invite', mail: false } as const

/** Nothing that an earlier account has seen stays in memory, and nothing that it has begun goes on. */
export function signedInNow(account: Account): void {
  if (queryClient.getQueryData<Session>(SESSION_KEY)?.account?.id !== account.id) endStay()
  queryClient.removeQueries({ predicate: ({ queryKey }) => !OF_EVERYBODY.has(queryKey[0]) })
  queryClient.setQueryData<Session>(SESSION_KEY, (known) => ({ ...UNKNOWN, ...known, account }))
  sessionEnded.set(false)
}

/** Nobody is signed in here any more, nothing of theirs stays in memory, and nothing goes on. */
export function signedOutNow(): void {
  endStay()
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
