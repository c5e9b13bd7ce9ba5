import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { insertLink, type LinkRow } from '../member-writes.ts'
import { type NewMail, queueMail } from './outbox.ts'

export interface LinkByMail {
  link: LinkRow
  mail: NewMail
}

export async function insertMailedLink(db: Db, engine: Engine, { link, mail }: LinkByMail): Promise<void> {
  await insertLink(db, link)
  await queueMail(db, engine, mail, link.created_at)
}
