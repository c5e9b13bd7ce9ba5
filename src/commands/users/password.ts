import { randomBytes } from 'node:crypto'
import { parseEmail } from '../../features/accounts/email.ts'
import { resetPassword } from '../../features/accounts/passwords/password-change.ts'
import { parseNewPassword } from '../../features/accounts/passwords/password-rules.ts'
import { Passwords } from '../../features/accounts/passwords/passwords.ts'
import { endSession, whoIs } from '../../features/accounts/sessions.ts'
import { SignInThrottle } from '../../features/accounts/throttle.ts'
import type { Clock } from '../../platform/clock.ts'
import { settledValue } from '../../platform/storage/setting.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { ask, linesOfInput } from '../../../cli/src/line/ask.ts'

export const passwordStdin = {
  type: 'boolean',
  help: 'set the password from standard input (asked for on a terminal), instead of printing a link for it',
} as const

/** A password that is good enough for the address; refused before anything is written. */
export async function readNewPassword(email: string): Promise<string> {
  const typed = process.stdin.isTTY
    ? await ask('New password: ', { secret: true })
    : ((await linesOfInput())[0] as string)
  return parseNewPassword(typed, parseEmail(email))
}

/** Uses up the link on the person's behalf. The session that comes with it is nobody's, and ends at once. */
export async function usePasswordLink(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  link: string,
  password: string,
): Promise<void> {
  const parts = {
    storage,
    clock,
    passwords: new Passwords(),
    throttle: new SignInThrottle(clock),
    deviceSecret: await settledValue(storage, 'device_secret', () => randomBytes(32).toString('base64url')),
  }
  const visitor = { network: '', userAgent: 'petstore command', sessionToken: undefined, deviceMark: undefined }
  const [, token = ''] = link.split('#')
  const opened = await resetPassword(parts, { token, password }, visitor)
  const who = opened.kind === 'opened' ? await whoIs({ storage, clock }, opened.token) : undefined
  if (who) await endSession({ storage }, who)
}
