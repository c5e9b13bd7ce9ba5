import { DAY_MS, type Clock } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import { type AuditedStorage, defineWrite } from '../../../platform/storage/storage.ts'
import { finishWork, type Lease, scheduleWork } from '../../../platform/work/lease.ts'
import { parseEmail } from '../email.ts'
import { newLink } from '../links.ts'
import { type LinkMailNeeds, mailLink } from '../mail/link-mail.ts'
import { insertLinkToGive, type LinkByMail } from '../mail/mailed-link.ts'
import { findAccountByEmail } from '../queries.ts'
import type { Visitor } from '../sessions.ts'
import type { SignInThrottle } from '../throttle.ts'

/** Subjects are addresses as they were typed, known or not. */
export const FORGOTTEN_QUEUE = 'forgotten passwords'

interface ForgottenNeeds {
  storage: AuditedStorage
  clock: Clock
  throttle: Pick<SignInThrottle, 'passwordMail'>
  mail: boolean
}

/**
 * Asks for a mail with a link that sets the password. Nobody looks here whether there is such an account: known and
 * unknown addresses get the same answer for the same work, and the mail is written in the background.
 */
export async function forgotPassword(
  { storage, clock, throttle, mail }: ForgottenNeeds,
  emailText: string,
  { network }: Visitor,
): Promise<void> {
  if (!mail) throw notFound('This service sends no mail: ask whoever runs it for a link.')
  const email = parseEmail(emailText)
  // The mails that came before still work, so that strangers who ask too often keep nobody out.
  if (!(await throttle.passwordMail({ email, network }))) return
  await storage.write(askForLink, { email, now: clock.now() })
}

const askForLink = defineWrite(
  'accounts.askForPasswordLink',
  (db, { email, now }: { email: string; now: number }, engine) =>
    scheduleWork(db, engine, { queue: FORGOTTEN_QUEUE, subject: email, dueAt: now, now }),
  // A question changes nothing.
  { note: () => undefined },
)

interface MailPasswordLinkNeeds extends LinkMailNeeds {
  storage: AuditedStorage
  clock: Clock
}

/** The other links of the account stay: whoever asks may be a stranger. */
export async function mailPasswordLink(needs: MailPasswordLinkNeeds, lease: Lease): Promise<void> {
  const { row } = newLink('password', {}, needs.clock.now())
  const words = {
    to: lease.subject,
    subject: 'Choose a new password',
    text:
      `Somebody has asked for a new password for your account at ${new URL(needs.dashboardUrl).host}. If it was you, ` +
      'open the link below within a day. If it was not, do nothing: your password stays as it is.',
  }
  await needs.storage.write(insertForgottenLink, { lease, ...mailLink(needs, row, words) })
}

const insertForgottenLink = defineWrite(
  'accounts.insertForgottenLink',
  async (db, { lease, link, mail }: LinkByMail & { lease: Lease }, engine) => {
    if (!(await finishWork(db, engine, lease, { nextDueAt: undefined }))) return undefined
    const account = await findAccountByEmail(db, lease.subject)
    // Asked for so long ago that nobody waits for it: the service was down, or had no mail.
    if (!account || link.created_at - lease.dueAt > DAY_MS) return undefined
    await insertLinkToGive(db, engine, { link: { ...link, account_id: account.id }, mail })
    return account
  },
  {
    note: (_, account) =>
      account && { verb: 'password.link', subject: account.email, accountId: account.id, details: { mailed: true } },
  },
)
