import '../tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/clock.ts'
import { deleteSome } from '../../../platform/storage/delete-some.ts'
import { nextNumber } from '../../../platform/storage/sequence.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { cancelWork, scheduleWork } from '../../../platform/work/lease.ts'

/** Subjects are ids of mails. */
export const ACCOUNT_MAIL_QUEUE = 'account mail'

export interface NewMail {
  to: string
  subject: string
  text: string
  /** Stands below the text; sealed, because a copy of the database must open nothing. */
  link?: { id: string; sealed: string }
}

/** For the transaction that gives the reason: a crash loses no mail, and no request waits for the mail server. */
export async function queueMail(db: Db, engine: Engine, mail: NewMail, now: number): Promise<void> {
  const id = await nextNumber(db, engine, 'mails')
  await db
    .insertInto('mails')
    .values({
      id,
      recipient: mail.to,
      subject: mail.subject,
      text: mail.text,
      link_id: mail.link?.id ?? null,
      sealed_link: mail.link?.sealed ?? null,
      created_at: now,
      sent_at: null,
      failed_at: null,
      refusal: null,
    })
    .execute()
  await scheduleWork(db, engine, { queue: ACCOUNT_MAIL_QUEUE, subject: String(id), dueAt: now, now })
}

/** Longer than an invitation lives: its list says what became of the mail. */
const MAIL_LIFE_MS = 8 * DAY_MS

/** A step; whether there was anything. */
export function sweepMails(db: Db, now: number): Promise<boolean> {
  return deleteSome(db, { table: 'mails', key: ['id'], where: sql`created_at < ${now - MAIL_LIFE_MS}` })
}

/** For the transaction that gives a master key up: mails whose link nobody can read any more are not sent. */
export async function dropSealedMails(db: Db): Promise<number> {
  const dropped = await db
    .updateTable('mails')
    .set({ sealed_link: null, refusal: 'its link was lost with the master key of the service' })
    .where('sealed_link', 'is not', null)
    .returning('id')
    .execute()
  for (const { id } of dropped) await cancelWork(db, ACCOUNT_MAIL_QUEUE, String(id))
  return dropped.length
}
