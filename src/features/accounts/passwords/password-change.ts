import { PetstoreError } from '../../../platform/errors.ts'
import type { AccountRow } from '../account-writes.ts'
import { accountView } from '../accounts.ts'
import { markDevice } from '../device.ts'
import { linkIsSpent, requireLink } from '../links.ts'
import { requireOwnPassword } from './own-password.ts'
import { parseNewPassword } from './password-rules.ts'
import { changePasswordRow, resetPasswordRow } from './password-writes.ts'
import { newSession, type OpenedSession, type SignedIn, signedInView, type Visitor } from '../sessions.ts'
import { type SignInNeeds, strangersTurn } from '../sign-in.ts'
import { hashToken, mintToken } from '../token.ts'

/** Needs the old password even of those who are signed in: a borrowed browser must not be enough. */
export async function changePassword(
  { storage, clock, passwords, throttle, deviceSecret }: SignInNeeds,
  who: SignedIn,
  input: { currentPassword: string; newPassword: string },
  visitor: Visitor,
): Promise<OpenedSession> {
  const password = parseNewPassword(input.newPassword, who.email)
  const oldHash = await requireOwnPassword({ passwords, throttle }, who, input.currentPassword)
  const now = clock.now()
  const token = mintToken()
  const outcome = await storage.write(changePasswordRow, {
    accountId: who.id,
    oldHash,
    newHash: await passwords.hash(password, { share: who.email, urgent: true }),
    sessionId: who.sessionId,
    tokenHash: hashToken(token),
    now,
  })
  if (outcome.kind === 'stale') throw new PetstoreError('conflict', 'The password has just been changed elsewhere.')
  return {
    account: signedInView(who),
    token,
    deviceMark: markDevice(deviceSecret, { id: who.id, password_changed_at: now }, visitor.deviceMark),
  }
}

/** After a mailed link, an account with passkeys or codes asks for one before a session opens. */
type ResetOutcome = ({ kind: 'opened' } & OpenedSession) | { kind: 'second-step'; account: AccountRow }

/** Through a link, for those who have forgotten their password or never had one. */
export async function resetPassword(
  needs: SignInNeeds,
  input: { token: string; password: string },
  visitor: Visitor,
): Promise<ResetOutcome> {
  const { storage, clock, passwords, deviceSecret } = needs
  const link = await requireLink(needs, input.token, 'password')
  const password = parseNewPassword(input.password, link.accountEmail ?? '')
  const now = clock.now()
  const { token, row: session } = newSession('', visitor, now)
  const outcome = await storage.write(resetPasswordRow, {
    tokenHash: hashToken(input.token),
    passwordHash: await passwords.hash(password, strangersTurn(visitor)),
    session,
    now,
  })
  if (outcome.kind === 'no-link') throw linkIsSpent()
  const { account } = outcome
  if (outcome.needsProof) return { kind: 'second-step', account }
  const deviceMark = markDevice(deviceSecret, account, visitor.deviceMark)
  return { kind: 'opened', account: accountView(account), token, deviceMark }
}
