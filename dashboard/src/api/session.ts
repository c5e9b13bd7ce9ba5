import { queryOptions, useQuery } from '@tanstack/react-query'
import type {
  AccountPatch,
  PasswordChange,
  PasswordReset,
  SignIn,
  SignUp,
} from '../../../src/platform-api/routes/session.ts'
import type { Account } from '../../../src/features/accounts/accounts.ts'
import type { LinkView } from '../../../src/features/accounts/links.ts'
import type { SessionView as OpenSession } from '../../../src/features/accounts/sessions.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { request } from './request.ts'

export type { Account, LinkView, OpenSession }

export interface SessionView {
  account: Account | null
  signup: 'invite' | 'open'
}

interface Opened {
  account: Account
}

export const SESSION_KEY = ['session'] as const

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }) => request<SessionView>('/session', { signal }),
  staleTime: 60_000,
})

/** Whoever is signed in; only for pages that nobody else sees. */
export function useAccount(): Account {
  const account = useQuery(sessionQuery).data?.account
  if (!account) throw new Error('This page is for people who are signed in.')
  return account
}

export const signIn = (body: Static<typeof SignIn>) => request<Opened>('/sign-in', { method: 'POST', body })
export const signUp = (body: Static<typeof SignUp>) => request<Opened>('/sign-up', { method: 'POST', body })
export const signOut = () => request<void>('/sign-out', { method: 'POST' })

export const inspectLink = (token: string) => request<LinkView>('/links/inspect', { method: 'POST', body: { token } })

export const acceptInvitation = (token: string) =>
  request<{ project: { slug: string; name: string } | null }>('/invitations/accept', {
    method: 'POST',
    body: { token },
  })

export const changePassword = (body: Static<typeof PasswordChange>) =>
  request<Opened>('/password', { method: 'POST', body })
export const resetPassword = (body: Static<typeof PasswordReset>) =>
  request<Opened>('/password/reset', { method: 'POST', body })
export const renameAccount = (body: Static<typeof AccountPatch>) =>
  request<Opened>('/account', { method: 'PATCH', body })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<OpenSession[]>('/sessions', { signal }),
})

export const endSession = (id: string) => request<void>(`/sessions/${id}`, { method: 'DELETE' })
export const endOtherSessions = () => request<{ ended: number }>('/sessions/end-others', { method: 'POST' })
