import { iso, isoOrNull } from '../../../platform/iso-date.ts'
import '../tables.ts'
import { publishChange } from '../../../platform/storage/change-feed.ts'
import { nextNumber } from '../../../platform/storage/sequence.ts'
import { type AuditedStorage, defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { scheduleWork } from '../../../platform/work/lease.ts'
import { NOTIFICATIONS_TOPIC } from '../topics.ts'
import type { NotificationKind } from '../tables.ts'

/** Subjects are ids of notifications. */
export const MAIL_QUEUE = 'mail'

export interface NewNotification {
  kind: NotificationKind
  domain: { id: string; project_id: number; hostname: string }
  /** The same occasion is told once, whoever notices it. */
  occasion: string
  title: string
  body: string
}

export interface NotificationView {
  id: number
  kind: NotificationKind
  hostname: string
  title: string
  body: string
  createdAt: string
  readAt: string | null
}

/** Tells the people of a project, in the transaction that makes the news. */
export async function notify(db: Db, engine: Engine, news: NewNotification, now: number): Promise<boolean> {
  const { kind, domain, occasion, title, body } = news
  const told = await db
    .selectFrom('notifications')
    .select('id')
    .where('domain_id', '=', domain.id)
    .where('kind', '=', kind)
    .where('occasion', '=', occasion)
    .executeTakeFirst()
  if (told) return false
  const id = await nextNumber(db, engine, 'notifications')
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notifications')
    .values({
      id,
      kind,
      occasion,
      title,
      body,
      project_id: domain.project_id,
      domain_id: domain.id,
      hostname: domain.hostname,
      created_at: now,
      read_at: null,
      mailed_at: null,
    })
    .onConflict((conflict) => conflict.columns(['domain_id', 'kind', 'occasion']).doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) return false
  await scheduleWork(db, engine, { queue: MAIL_QUEUE, subject: String(id), dueAt: now, now })
  await publishChange(db, engine, NOTIFICATIONS_TOPIC, String(domain.project_id), now)
  return true
}

/** The newest of these kinds about a domain. */
export function findLastNews(db: Db, domainId: string, kinds: readonly NotificationKind[]) {
  return db
    .selectFrom('notifications')
    .select('kind')
    .where('domain_id', '=', domainId)
    .where('kind', 'in', kinds)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether people have heard one of these about the certificate that ends then. */
export async function wasToldOf(
  db: Db,
  domainId: string,
  kinds: readonly NotificationKind[],
  notAfter: number,
): Promise<boolean> {
  const told = await db
    .selectFrom('notifications')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('kind', 'in', kinds)
    .where('occasion', 'like', `${notAfter}%`)
    .limit(1)
    .executeTakeFirst()
  return told !== undefined
}

/** Newest first. `before` is the id of the last one seen. */
export async function listNotifications(
  { storage }: { storage: Pick<AuditedStorage, 'read'> },
  projectId: number,
  page: { before?: number | undefined; limit?: number } = {},
): Promise<{ unread: number; notifications: NotificationView[] }> {
  const own = storage.read.selectFrom('notifications').where('project_id', '=', projectId)
  const { unread } = await own
    .where('read_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  const rows = await own
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before as number))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(Math.min(page.limit ?? 50, 100))
    .execute()
  const notifications = rows.map(({ id, kind, hostname, title, body, created_at, read_at }) => ({
    id,
    kind,
    hostname,
    title,
    body,
    createdAt: iso(created_at),
    readAt: isoOrNull(read_at),
  }))
  return { unread: Number(unread), notifications }
}

/** One of them, or all up to one. */
export const markNotificationsRead = defineWrite(
  'notifications.read',
  async (db, input: { projectId: number; upTo: number; now: number }, engine) => {
    await db
      .updateTable('notifications')
      .set({ read_at: input.now })
      .where('project_id', '=', input.projectId)
      .where('id', '<=', input.upTo)
      .where('read_at', 'is', null)
      .execute()
    await publishChange(db, engine, NOTIFICATIONS_TOPIC, String(input.projectId), input.now)
  },
  // Reading one's own news changes nothing that anybody else would ask about.
  { note: () => undefined },
)

/** For half a year: what is older has been dealt with, or never will be. */
const NOTIFICATION_LIFE_MS = 183 * 86_400_000

/**
 * The last of each kind stays as long as its domain is attached: without it `notify` would tell the same again. All at
 * once: to walk past those that stay costs more than to delete the others, and no step would be spared it.
 */
export async function deleteOldNotifications(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('created_at', '<', now - NOTIFICATION_LIFE_MS)
    .where(({ or, not, exists, selectFrom }) => {
      const attached = selectFrom('domains')
        .select('domains.id')
        .whereRef('domains.id', '=', 'notifications.domain_id')
        .where('domains.removed_at', 'is', null)
      const newer = selectFrom('notifications as newer')
        .select('newer.id')
        .whereRef('newer.domain_id', '=', 'notifications.domain_id')
        .whereRef('newer.kind', '=', 'notifications.kind')
        .whereRef('newer.id', '>', 'notifications.id')
      return or([not(exists(attached)), exists(newer)])
    })
    .execute()
}
