import '../tables.ts'
import { DAY_MS, MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import type { SendMail } from '../../../platform/mail.ts'
import { defineWrite, type Storage } from '../../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../../platform/work/lease.ts'
import { findMail } from '../queries.ts'
import type { SecretSealer } from '../second-factors/secret-sealer.ts'
import { mailedLink } from './link-mail.ts'

interface SendNeeds {
  storage: Storage
  clock: Clock
  /** Undefined where the mail server has been taken out of the settings. */
  send: SendMail | undefined
  sealer: SecretSealer
  /** Where links lead now: one that has waited may be from before the service had this address. */
  dashboardUrl: string
  mailDomain: string
  onError(error: unknown): void
}

/** After this, news by mail would confuse more than help. */
const GIVE_UP_MS = 3 * DAY_MS
const PAUSE_MAX_MS = 60 * MINUTE_MS

interface MailEnd {
  sentAt?: number
  /** Why it is not tried any more. */
  refusal?: string
}

/** What has been sent is not kept readable: its link may still be open. */
const finishMail = defineWrite(
  'mails.finish',
  async (db, { lease, id, ...end }: { lease: Lease; id: number } & MailEnd, engine) => {
    if (!(await finishWork(db, engine, lease, { nextDueAt: undefined }))) return
    await db
      .updateTable('mails')
      .set({ sent_at: end.sentAt ?? null, refusal: end.refusal ?? null, sealed_link: null })
      .where('id', '=', id)
      .execute()
  },
)

const postponeMail = defineWrite(
  'mails.postpone',
  async (db, { lease, id, now, dueAt }: { lease: Lease; id: number; now: number; dueAt: number }, engine) => {
    if (!(await finishWork(db, engine, lease, { nextDueAt: dueAt, failures: lease.failures + 1 }))) return
    await db.updateTable('mails').set({ failed_at: now }).where('id', '=', id).execute()
  },
)

/**
 * A mail server that is away is asked again, in growing pauses; what it refuses for good is not. A link that has ended
 * is not sent any more.
 */
export async function sendQueuedMail(needs: SendNeeds, lease: Lease): Promise<void> {
  const { storage, clock, send, sealer, dashboardUrl, mailDomain, onError } = needs
  const id = Number(lease.subject)
  const now = clock.now()
  const mail = await findMail(storage.read, id)
  const isLinkOver = mail?.link_id && (mail.link_expires_at === null || mail.link_expires_at <= now)
  const finish = (end: MailEnd) => storage.write(finishMail, { lease, id, ...end })
  if (!mail || isLinkOver) return finish({})
  if (!send) return finish({ refusal: 'no mail server is configured any more' })
  if (now - mail.created_at > GIVE_UP_MS) return finish({ refusal: 'the mail server did not take it for three days' })
  const { recipient, subject, text, link_id, sealed_link, created_at } = mail
  const link = link_id !== null && sealed_link !== null ? sealer.open(mailedLink(link_id), sealed_link) : undefined
  let refusal: string | undefined
  try {
    refusal = await send({
      to: recipient,
      subject,
      text: link === undefined ? `${text}\n` : `${text}\n\n${dashboardUrl}${link.slice(new URL(link).origin.length)}\n`,
      messageId: `<mail-${id}.${created_at}@${mailDomain}>`,
    })
  } catch (error) {
    onError(error)
    const pauseMs = Math.min(MINUTE_MS * 2 ** Math.min(lease.failures, 10), PAUSE_MAX_MS)
    return storage.write(postponeMail, { lease, id, now: clock.now(), dueAt: clock.now() + pauseMs })
  }
  if (refusal === undefined) return finish({ sentAt: clock.now() })
  onError(new Error(`The mail server refuses mail to ${recipient}: ${refusal}`))
  await finish({ refusal })
}
