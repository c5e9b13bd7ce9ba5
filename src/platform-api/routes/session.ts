import { renameAccount } from '../../features/accounts/accounts.ts'
import { askForConfirmation, changeAddress, confirmAddress } from '../../features/accounts/address.ts'
import { inspectLink } from '../../features/accounts/links.ts'
import type { LinkMailNeeds } from '../../features/accounts/mail/link-mail.ts'
import { forgotPassword } from '../../features/accounts/passwords/forgotten.ts'
import { changePassword, resetPassword } from '../../features/accounts/passwords/password-change.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../features/accounts/passwords/password-rules.ts'
import { endOtherSessions, endSession, listSessions, signedInView } from '../../features/accounts/sessions.ts'
import { signIn } from '../../features/accounts/sign-in.ts'
import { acceptInvitation, signUp } from '../../features/accounts/sign-up.ts'
import { type SecondStepNeeds, secondStepOf } from '../../features/accounts/second-factors/second-step.ts'
import { findProjectById } from '../../features/projects/queries.ts'
import type { Suspensions } from '../../features/projects/suspensions.ts'
import { object, optional, shownText, text } from '../../platform/schema.ts'
import { signInCookies, signOutCookies } from '../cookies.ts'
import { created, done, ok, parameter, route } from '../route.ts'

export interface SessionRouteNeeds extends Omit<SecondStepNeeds, 'storage'>, LinkMailNeeds {
  signup: 'invite' | 'open'
  suspensions: Pick<Suspensions, 'of'>
}

const email = text({ minLength: 3, maxLength: 254, rule: 'must be an e-mail address' })
const name = shownText(100)
const token = text({ minLength: 1, maxLength: 100, rule: 'must be what stands behind # in the link' })
/** A wrong password may have any form; its length is bounded because hashing costs time. */
const password = text({ minLength: 1, maxLength: 1000, rule: 'must be a password' })
const newPassword = text({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  rule: `must be ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters long`,
})

export const SignIn = object({ email, password })
export const SignUp = object({ email, name, password: newPassword, token: optional(token) })
export const LinkToken = object({ token })
export const PasswordChange = object({ currentPassword: password, newPassword })
export const PasswordReset = object({ token, password: newPassword })
export const ForgottenPassword = object({ email })
export const AccountPatch = object({ name })
export const NewAddress = object({ email, currentPassword: password })

/** Signing in and out, the own account, and its sessions. */
export function sessionRoutes(needs: SessionRouteNeeds) {
  const isSuspended = (projectId: number) => needs.suspensions.of(projectId) !== undefined
  return [
    route({
      id: 'getSession',
      summary: 'See who is signed in',
      description: 'Also tells whether strangers may sign up, and whether the service sends mail.',
      method: 'GET',
      path: '/session',
      role: 'public',
      handle: async ({ who }) =>
        ok({ account: who ? signedInView(who) : null, signup: needs.signup, mail: needs.mail }),
    }),
    route({
      id: 'signIn',
      summary: 'Sign in',
      description: 'Sets the session cookie, or asks for a second step where the account has one.',
      errors: ['unauthorized'],
      method: 'POST',
      path: '/sign-in',
      role: 'public',
      body: SignIn,
      refusal: 'You are not signed in',
      async handle({ storage, visitor, secure }, body) {
        const outcome = await signIn({ ...needs, storage }, body, visitor)
        if (outcome.kind === 'second-step') return ok({ account: null, secondStep: outcome.secondStep })
        return ok({ account: outcome.account, secondStep: null }, signInCookies(outcome, secure))
      },
    }),
    route({
      id: 'signUp',
      summary: 'Sign up',
      description: 'By an invitation, or without one where the installation is open. Sets the session cookie.',
      answers: [201],
      errors: ['gone'],
      method: 'POST',
      path: '/sign-up',
      role: 'public',
      body: SignUp,
      refusal: 'The account was not created',
      async handle({ storage, visitor, secure }, body) {
        const opened = await signUp({ ...needs, storage, isSuspended }, body, visitor)
        return created({ account: opened.account }, signInCookies(opened, secure))
      },
    }),
    route({
      id: 'signOut',
      summary: 'Sign out',
      method: 'POST',
      path: '/sign-out',
      role: 'session',
      uncounted: true,
      unconfirmed: true,
      async handle({ storage, who, secure }) {
        await endSession({ storage }, who)
        return done(signOutCookies(secure))
      },
    }),
    route({
      id: 'inspectLink',
      summary: 'Look at a mailed link',
      description: 'What a link does, before anybody decides to follow it.',
      errors: ['gone'],
      method: 'POST',
      path: '/links/inspect',
      role: 'public',
      body: LinkToken,
      handle: async ({ storage }, body) => ok(await inspectLink({ storage, clock: needs.clock }, body.token)),
    }),
    route({
      id: 'acceptInvitation',
      summary: 'Accept an invitation',
      errors: ['gone'],
      method: 'POST',
      path: '/invitations/accept',
      role: 'session',
      body: LinkToken,
      async handle({ storage, who }, body) {
        const { projectId } = await acceptInvitation({ storage, clock: needs.clock, isSuspended }, who, body.token)
        const project = projectId === null ? undefined : await findProjectById(storage.read, projectId)
        return ok({ project: project ? { slug: project.slug, name: project.name } : null })
      },
    }),
    route({
      id: 'changePassword',
      summary: 'Change the password',
      description: 'Ends all other sessions of the account.',
      method: 'POST',
      path: '/password',
      role: 'session',
      uncounted: true,
      body: PasswordChange,
      refusal: 'The password was not changed',
      async handle({ storage, who, visitor, secure }, body) {
        const opened = await changePassword({ ...needs, storage }, who, body, visitor)
        return ok({ account: opened.account }, signInCookies(opened, secure))
      },
    }),
    route({
      id: 'resetPassword',
      summary: 'Choose a new password by a mailed link',
      errors: ['gone'],
      method: 'POST',
      path: '/password/reset',
      role: 'public',
      body: PasswordReset,
      refusal: 'The password was not changed',
      async handle({ storage, visitor, secure }, body) {
        const outcome = await resetPassword({ ...needs, storage }, body, visitor)
        if (outcome.kind === 'opened') {
          return ok({ account: outcome.account, secondStep: null }, signInCookies(outcome, secure))
        }
        return ok({ account: null, secondStep: (await secondStepOf({ ...needs, storage }, outcome.account)) ?? null })
      },
    }),
    route({
      id: 'forgotPassword',
      summary: 'Ask for a new password',
      description: 'The answer is the same whether the address has an account or not.',
      method: 'POST',
      path: '/password/forgot',
      role: 'public',
      errors: ['not_found'],
      body: ForgottenPassword,
      refusal: 'No mail was sent',
      async handle({ storage, visitor }, body) {
        await forgotPassword({ ...needs, storage }, body.email, visitor)
        return done()
      },
    }),
    route({
      id: 'updateAccount',
      summary: 'Rename the own account',
      method: 'PATCH',
      path: '/account',
      role: 'session',
      body: AccountPatch,
      async handle({ storage, who }, body) {
        await renameAccount({ storage }, who, body.name)
        return ok({ account: { ...signedInView(who), name: body.name.trim() } })
      },
    }),
    route({
      id: 'changeAddress',
      summary: 'Change the own address',
      method: 'POST',
      path: '/account/email',
      role: 'session',
      unconfirmed: true,
      body: NewAddress,
      refusal: 'The address was not changed',
      handle: async ({ storage, who }, body) => ok(await changeAddress({ ...needs, storage }, who, body)),
    }),
    route({
      id: 'askForConfirmation',
      summary: 'Send the link that confirms the address again',
      method: 'POST',
      path: '/account/email/confirmation',
      role: 'session',
      errors: ['not_found'],
      unconfirmed: true,
      handle: async ({ storage, who }) => ok(await askForConfirmation({ ...needs, storage }, who)),
    }),
    route({
      id: 'confirmAddress',
      summary: 'Confirm an address by a mailed link',
      errors: ['gone'],
      method: 'POST',
      path: '/account/email/confirm',
      role: 'public',
      body: LinkToken,
      refusal: 'The address was not changed',
      handle: async ({ storage }, body) => ok(await confirmAddress({ ...needs, storage }, body.token)),
    }),
    route({
      id: 'listSessions',
      summary: 'List the own sessions',
      method: 'GET',
      path: '/sessions',
      role: 'session',
      handle: async ({ storage, who }) => ok(await listSessions({ storage, clock: needs.clock }, who)),
    }),
    route({
      id: 'endSession',
      summary: 'End a session',
      method: 'DELETE',
      path: '/sessions/{session}',
      role: 'session',
      uncounted: true,
      async handle(call) {
        await endSession(call, call.who, parameter(call, 'session'))
        return done()
      },
    }),
    route({
      id: 'endOtherSessions',
      summary: 'End all other sessions',
      method: 'POST',
      path: '/sessions/end-others',
      role: 'session',
      uncounted: true,
      handle: async ({ storage, who }) => ok(await endOtherSessions({ storage }, who)),
    }),
  ]
}
