import { PetstoreError } from '../../../platform/errors.ts'
import type { SignedIn } from '../sessions.ts'
import type { SignInThrottle } from '../throttle.ts'
import type { Passwords } from './passwords.ts'

interface OwnPasswordNeeds {
  passwords: Passwords
  throttle: SignInThrottle
}

/** Asked even of those who are signed in: a borrowed browser must not be enough. Gives the hash that was right. */
export async function requireOwnPassword(
  { passwords, throttle }: OwnPasswordNeeds,
  who: SignedIn,
  password: string,
): Promise<string> {
  const attempt = await throttle.attempt({ email: who.email, network: '', device: `password ${who.id}` })
  const turn = { share: who.email, urgent: true }
  if (!(await passwords.verify(password, who.passwordHash, turn)) || who.passwordHash === undefined) {
    throw new PetstoreError('forbidden', 'The current password is not right.')
  }
  attempt.succeeded()
  return who.passwordHash
}
