import '../tables.ts'
import { DAY_MS, MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import type { SendMail } from '../../../platform/mail.ts'
import { defineWrite, type Storage } from '../../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../../platform/work/lease.ts'
import { postpone } from '../../../platform/work/runner.ts'

interface MailNeeds {
  storage: Storage
  clock: Clock
  /** Undefined where no mail server is configured: the dashboard's list then has to do. */
  send: SendMail | undefined
  /** The addresses of those who care for a project's domains. */
  recipientsOf: (projectId: number) => Promise<string[]>
  /** Where the dashboard shows a domain. */
  domainUrl: (projectId: number, hostname: string) => Promise<string>
  mailDomain: string
  onError(error: unknown): void
}

/** After this, news by mail would confuse more than help. */
const GIVE_UP_MS = 3 * DAY_MS
const PAUSE_MAX_MS = 60 * MINUTE_MS

const finishMail = defineWrite(
  'notifications.finishMail',
  async (db, { lease, id, mailedAt }: { lease: Lease; id: number; mailedAt: number | undefined }, engine) => {
    if (!(await finishWork(db, engine, lease, { nextDueAt: undefined }))) return
    if (mailedAt === undefined) return
    await db.updateTable('notifications').set({ mailed_at: mailedAt }).where('id', '=', id).execute()
  },
)

/**
 * Sends one notification; a mail server that is away is asked again, in growing pauses, for three days. An address that
 * it refuses for good holds the others up in nothing.
 */
export async function mailNotification(needs: MailNeeds, lease: Lease): Promise<void> {
  const { storage, clock, send, recipientsOf, domainUrl, mailDomain, onError } = needs
  const id = Number(lease.subject)
  const row = await storage.read.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirst()
  const isOver = !row || row.mailed_at !== null || clock.now() - row.created_at > GIVE_UP_MS
  const to = send === undefined || isOver ? [] : await recipientsOf(row.project_id)
  if (send === undefined || isOver || to.length === 0) {
    await storage.write(finishMail, { lease, id, mailedAt: undefined })
    return
  }
  try {
    const refused = await send({
      to,
      subject: row.title,
      text: `${row.body}\n\n${await domainUrl(row.project_id, row.hostname)}\n`,
      messageId: `<notification-${id}.${row.created_at}@${mailDomain}>`,
    })
    for (const each of refused) onError(new Error(`The mail server refuses mail to ${each.to}: ${each.reply}`))
  } catch (error) {
    onError(error)
    const pauseMs = Math.min(MINUTE_MS * 2 ** Math.min(lease.failures, 10), PAUSE_MAX_MS)
    await storage.write(postpone, { lease, dueAt: clock.now() + pauseMs, failures: lease.failures + 1 })
    return
  }
  await storage.write(finishMail, { lease, id, mailedAt: clock.now() })
}
