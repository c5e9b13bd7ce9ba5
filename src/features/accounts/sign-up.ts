import { conflict, PetstoreError } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { type AccountRow, acceptInvitationRow, signUpRow } from './account-writes.ts'
import { accountView } from './accounts.ts'
import { markDevice } from './device.ts'
import { parseEmail } from './email.ts'
import { confirmationMail } from './address.ts'
import { type InvitationNeeds, linkIsSpent, requireInvitation } from './links.ts'
import type { LinkMailNeeds } from './mail/link-mail.ts'
import { parseNewPassword } from './passwords/password-rules.ts'
import { newSession, type OpenedSession, type SignedIn, type Visitor } from './sessions.ts'
import { type SignInNeeds, strangersTurn } from './sign-in.ts'
import { hashToken } from './token.ts'

export interface SignUpNeeds extends SignInNeeds, LinkMailNeeds, InvitationNeeds {
  /** Whether an account can be had without an invitation. */
  signup: 'invite' | 'open'
}

/** Where there is mail, an account without an invitation waits until its address is confirmed. */
export async function signUp(
  needs: SignUpNeeds,
  input: { email: string; name: string; password: string; token?: string | undefined },
  visitor: Visitor,
): Promise<OpenedSession> {
  const { storage, clock, passwords, throttle, signup, deviceSecret } = needs
  const email = parseEmail(input.email)
  const password = parseNewPassword(input.password, email)
  // Before any costly work: junk and spent links end here.
  if (input.token !== undefined) await requireInvitation(needs, input.token)
  else if (signup === 'open') await throttle.signUp(visitor.network)
  else throw new PetstoreError('forbidden', 'An account needs an invitation: ask a project owner, or the operator.')

  const now = clock.now()
  const mustConfirm = needs.mail && input.token === undefined
  const account: AccountRow = {
    id: newId('acc'),
    email,
    name: input.name.trim(),
    password_hash: await passwords.hash(password, strangersTurn(visitor)),
    password_changed_at: now,
    operator: 0,
    created_at: now,
    email_confirmed_at: null,
    must_confirm: mustConfirm ? 1 : 0,
  }
  const { token, row: session } = newSession(account.id, visitor, now)
  const linkTokenHash = input.token === undefined ? undefined : hashToken(input.token)
  const confirmation = mustConfirm ? confirmationMail(needs, account, now) : undefined
  const outcome = await storage.write(signUpRow, { account, session, linkTokenHash, confirmation, now })
  if (outcome.kind === 'no-link') throw linkIsSpent()
  if (outcome.kind === 'taken') {
    throw conflict('There is an account with this e-mail address: sign in, and open the link again where you have one.')
  }
  const deviceMark = markDevice(deviceSecret, account, visitor.deviceMark)
  return { account: accountView(outcome.account), token, deviceMark }
}

/** The invitation of somebody who has an account already. */
export async function acceptInvitation(
  needs: InvitationNeeds,
  who: SignedIn,
  token: string,
): Promise<{ projectId: number | null }> {
  await requireInvitation(needs, token)
  const input = { accountId: who.id, tokenHash: hashToken(token), now: needs.clock.now() }
  const outcome = await needs.storage.write(acceptInvitationRow, input)
  if (outcome.kind === 'no-link') throw linkIsSpent()
  if (outcome.kind === 'member-already') throw conflict('You are a member of this project already.')
  return { projectId: outcome.joined?.projectId ?? null }
}
