import type { Clock } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import { siteOf } from '../../platform/network.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { accountView } from './accounts.ts'
import { knownDevice, markDevice } from './device.ts'
import { parseEmail } from './email.ts'
import type { Passwords, Turn } from './passwords/passwords.ts'
import { findAccountByEmail, hasSessionIn } from './queries.ts'
import { openSession } from './session-writes.ts'
import { newSession, type OpenedSession, type Visitor } from './sessions.ts'
import type { FactorNeeds } from './second-factors/second-factors.ts'
import { type SecondStep, secondStepOf } from './second-factors/second-step.ts'
import type { SignInThrottle } from './throttle.ts'
import { hashToken, isToken } from './token.ts'

export interface SignInNeeds {
  storage: AuditedStorage
  clock: Clock
  passwords: Passwords
  throttle: SignInThrottle
  deviceSecret: string
}

export type SignInOutcome = ({ kind: 'opened' } & OpenedSession) | { kind: 'second-step'; secondStep: SecondStep }

/**
 * Known and unknown addresses cost the same time and get the same answer. The session is always a new one,
 * so that nobody can be made to use a session that somebody else has prepared. Where the account has passkeys or
 * one-time codes, the password alone opens none.
 */
export async function signIn(
  needs: SignInNeeds & FactorNeeds,
  input: { email: string; password: string },
  visitor: Visitor,
): Promise<SignInOutcome> {
  const { storage, clock, passwords, throttle, deviceSecret } = needs
  const email = parseEmail(input.email)
  const account = await findAccountByEmail(storage.read, email)
  const device = knownDevice(deviceSecret, account, visitor.deviceMark)
  const { network } = visitor
  const isKnownNetwork = await hasSessionIn(storage.read, { accountId: account?.id ?? '', network, now: clock.now() })
  const attempt = await throttle.attempt({ email, network, device, isKnownNetwork })
  const turn = device === undefined ? strangersTurn(visitor) : { share: email, urgent: true }
  const right = await passwords.verify(input.password, account?.password_hash ?? undefined, turn)
  if (!right || !account?.password_hash) throw refused()
  attempt.succeeded()
  const secondStep = await secondStepOf(needs, account)
  if (secondStep) return { kind: 'second-step', secondStep }

  const { token, row } = newSession(account.id, visitor, clock.now())
  const endTokenHash = isToken(visitor.sessionToken) ? hashToken(visitor.sessionToken) : undefined
  const outcome = await storage.write(openSession, {
    session: row,
    passwordHash: account.password_hash,
    endTokenHash,
    newDevice: device === undefined,
  })
  if (outcome.kind === 'needs-factor') {
    const added = await secondStepOf(needs, account)
    if (added) return { kind: 'second-step', secondStep: added }
  }
  if (outcome.kind !== 'opened') throw refused()
  const deviceMark = markDevice(deviceSecret, account, visitor.deviceMark)
  return { kind: 'opened', account: accountView(account), token, deviceMark }
}

/** Whoever the account does not know shares the queue with the other networks. */
export const strangersTurn = ({ network }: Visitor): Turn => ({ share: siteOf(network) ?? network })

const refused = () => new PetstoreError('unauthorized', 'The e-mail address or the password is not right.')
