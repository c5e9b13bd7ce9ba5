import '../tables.ts'
import type { Db, Engine, Tables } from '../../../platform/storage/tables.ts'
import { type NewMail, queueMail } from './outbox.ts'

export type LinkRow = Tables['one_time_links']

export interface LinkByMail {
  link: LinkRow
  mail: NewMail
}

/** Mailed, or handed on by whoever made it. */
export interface LinkToGive {
  link: LinkRow
  mail: NewMail | undefined
}

export async function insertLinkToGive(db: Db, engine: Engine, { link, mail }: LinkToGive): Promise<void> {
  await insertLink(db, link)
  if (mail) await queueMail(db, engine, mail, link.created_at)
}

export async function insertLink(db: Db, link: LinkRow): Promise<void> {
  await db.insertInto('one_time_links').values(link).execute()
}
