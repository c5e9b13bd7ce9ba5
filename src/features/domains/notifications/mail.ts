import '../tables.ts'
import { DAY_MS, MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import type { SendMail } from '../../../platform/mail.ts'
import { defineWrite, type Storage } from '../../../platform/storage/storage.ts'
import { finishWork, type Lease, scheduleWork } from '../../../platform/work/lease.ts'
import { postpone } from '../../../platform/work/runner.ts'

/** Subjects are ids of a notification and of an account, with a space between: one mail to one person. */
export const MEMBER_MAIL_QUEUE = 'mail to members'

interface MailNeeds {
  storage: Storage
  clock: Clock
  /** Undefined where no mail server is configured: the dashboard's list then has to do. */
  send: SendMail | undefined
  /** Those who care for a project's domains; the ids are of their accounts. */
  recipientsOf: (projectId: number) => Promise<{ id: string; email: string }[]>
  /** Where the dashboard shows a domain. */
  domainUrl: (projectId: number, hostname: string) => Promise<string>
  mailDomain: string
  onError(error: unknown): void
}

/** After this, news by mail would confuse more than help. */
const GIVE_UP_MS = 3 * DAY_MS
const PAUSE_MAX_MS = 60 * MINUTE_MS

interface HandedOut {
  lease: Lease
  id: number
  accountIds: readonly string[]
  now: number
}

const handOut = defineWrite('notifications.handOut', async (db, input: HandedOut, engine) => {
  const { lease, id, accountIds, now } = input
  if (!(await finishWork(db, engine, lease, { nextDueAt: undefined }))) return
  for (const accountId of accountIds) {
    const subject = `${id} ${accountId}`
    await scheduleWork(db, engine, { queue: MEMBER_MAIL_QUEUE, subject, dueAt: now, now })
  }
  if (accountIds.length === 0) return
  await db.updateTable('notifications').set({ mailed_at: now }).where('id', '=', id).execute()
})

const finishMail = defineWrite('notifications.finishMail', (db, lease: Lease, engine) =>
  finishWork(db, engine, lease, { nextDueAt: undefined }),
)

/** Each recipient's mail is work of its own: an address that is refused or put off holds up nobody else's. */
export async function mailNotification(needs: MailNeeds, lease: Lease): Promise<void> {
  const { storage, clock, recipientsOf } = needs
  const id = Number(lease.subject)
  const row = await findToMail(needs, id)
  const recipients = row ? await recipientsOf(row.project_id) : []
  const accountIds = recipients.map((recipient) => recipient.id)
  await storage.write(handOut, { lease, id, accountIds, now: clock.now() })
}

/** A mail server that is away, or puts the recipient off, is asked again, in growing pauses, for three days. */
export async function mailMember(needs: MailNeeds, lease: Lease): Promise<void> {
  const { storage, clock, send, recipientsOf, domainUrl, mailDomain, onError } = needs
  const [id, accountId] = lease.subject.split(' ')
  const row = await findToMail(needs, Number(id))
  const recipients = row ? await recipientsOf(row.project_id) : []
  // Not to somebody who has left the project meanwhile.
  const to = recipients.find((recipient) => recipient.id === accountId)?.email
  if (send && row && to !== undefined) {
    try {
      const refusal = await send({
        to,
        subject: row.title,
        text: `${row.body}\n\n${await domainUrl(row.project_id, row.hostname)}\n`,
        messageId: `<notification-${id}.${row.created_at}@${mailDomain}>`,
      })
      if (refusal !== undefined) onError(new Error(`The mail server refuses mail to ${to}: ${refusal}`))
    } catch (error) {
      onError(error)
      const pauseMs = Math.min(MINUTE_MS * 2 ** Math.min(lease.failures, 10), PAUSE_MAX_MS)
      await storage.write(postpone, { lease, dueAt: clock.now() + pauseMs, failures: lease.failures + 1 })
      return
    }
  }
  await storage.write(finishMail, lease)
}

async function findToMail({ storage, clock, send }: MailNeeds, id: number) {
  if (!send) return undefined
  const recent = storage.read.selectFrom('notifications').where('created_at', '>=', clock.now() - GIVE_UP_MS)
  return recent.selectAll().where('id', '=', id).executeTakeFirst()
}
