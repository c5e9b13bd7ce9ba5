import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Account, Routes, Session } from '../../../client/src/platform/platform.ts'
import { asksAgain, sessionEnded } from '../session-ended.ts'
import { platform } from './platform.ts'

export type { LinkView, OpenSession } from '../../../client/src/platform/platform.ts'
export type { Account, Session }

export const SESSION_KEY = ['session'] as const

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal, client }): Promise<Session> => {
    const session = await platform.call('GET /session', { signal })
    const known = client.getQueryData<Session>(SESSION_KEY)?.account
    if (!known || session.account?.id === known.id || !asksAgain.get()) return session
    // Ended elsewhere, or another's by now: the page stays as it is while a dialog asks for the password.
    sessionEnded.set(true)
    return { ...session, account: known }
  },
  staleTime: 60_000,
})

/** Whoever is signed in; only for pages that nobody else sees. */
export function useAccount(): Account {
  const account = useQuery(sessionQuery).data?.account
  if (!account) throw new Error('This page is for people who are signed in.')
  return account
}

export const signIn = (body: Routes['POST /sign-in']['body']) => platform.call('POST /sign-in', { body })
export const signUp = (body: Routes['POST /sign-up']['body']) => platform.call('POST /sign-up', { body })
export const signOut = () => platform.call('POST /sign-out', {})

export const inspectLink = (token: string) => platform.call('POST /links/inspect', { body: { token } })
export const acceptInvitation = (token: string) => platform.call('POST /invitations/accept', { body: { token } })

export const changePassword = (body: Routes['POST /password']['body']) => platform.call('POST /password', { body })
export const resetPassword = (body: Routes['POST /password/reset']['body']) =>
  platform.call('POST /password/reset', { body })
export const forgotPassword = (email: string) => platform.call('POST /password/forgot', { body: { email } })
export const changeAddress = (body: Routes['POST /account/email']['body']) =>
  platform.call('POST /account/email', { body })
export const askForConfirmation = () => platform.call('POST /account/email/confirmation', {})
export const confirmAddress = (token: string) => platform.call('POST /account/email/confirm', { body: { token } })
export const renameAccount = (name: string) => platform.call('PATCH /account', { body: { name } })

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => platform.call('GET /sessions', { signal }),
})

export const endSession = (session: string) => platform.call('DELETE /sessions/{session}', { session })
export const endOtherSessions = () => platform.call('POST /sessions/end-others', {})
