import './tables.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'

/** Longer than most caches, bookmarks and forgotten CNAMEs live. */
const SLUG_QUARANTINE_MS = 90 * DAY_MS

/** Whoever gives up more than this many in that time is collecting names, not using them. */
const FREED_SLUGS_MAX = 10

/** Changes of one slug take turns, so that a slug cannot be taken in the moment in which it is being freed. */
export async function takeSlugTurn(db: Db, engine: Engine, slugs: readonly string[]): Promise<void> {
  const turns = slugs.map((slug) => `slug ${slug}`)
  await takeTurn(db, engine, turns)
}

/**
 * What one account takes and gives up is counted in turn: two at once would both see room for one. Taken before
 * everything else, so that nobody who has a slug or a project waits for it.
 */
export const takeOwnerTurn = (db: Db, engine: Engine, accountId: string) =>
  takeTurn(db, engine, `projects of ${accountId}`)

/**
 * Whether the slug is kept from this account. The project that had it may take it back, and so may those who own that
 * project now, who need not be those who gave it up; of a project that is gone, whoever gave it up.
 */
export async function isQuarantined(
  db: Db,
  slug: string,
  taker: { accountId: string | null; projectId?: number },
  now: number,
): Promise<boolean> {
  const freed = await db
    .selectFrom('freed_slugs')
    .leftJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'freed_slugs.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('members', (join) =>
      join
        .onRef('members.project_id', '=', 'freed_slugs.project_id')
        .on('members.account_id', '=', taker.accountId)
        .on('members.role', '=', 'owner'),
    )
    .select(['freed_slugs.project_id', 'freed_by', 'projects.id as living', 'members.account_id as owner'])
    .where('freed_slugs.slug', '=', slug)
    .where('freed_at', '>', now - SLUG_QUARANTINE_MS)
    .executeTakeFirst()
  if (!freed || freed.project_id === taker.projectId) return false
  if (freed.living !== null) return freed.owner === null
  return freed.freed_by === null || freed.freed_by !== taker.accountId
}

/**
 * For the transaction that deletes a project: slugs that it had before are nobody's if whoever gave them up does not
 * own it any more.
 */
export async function keepSlugsFromFormer(db: Db, projectId: number): Promise<void> {
  const owners = db.selectFrom('members').select('account_id').where('project_id', '=', projectId)
  await db
    .updateTable('freed_slugs')
    .set({ freed_by: null })
    .where('project_id', '=', projectId)
    .where('freed_by', 'not in', owners.where('role', '=', 'owner'))
    .execute()
}

/** One that is taken back, `slug`, does not count. */
export async function hasFreedTooMany(
  db: Db,
  { accountId, slug }: { accountId: string | null; slug: string },
  now: number,
): Promise<boolean> {
  if (accountId === null) return false
  const { freed } = await db
    .selectFrom('freed_slugs')
    .select((eb) => eb.fn.countAll<number>().as('freed'))
    .where('freed_by', '=', accountId)
    .where('slug', '!=', slug)
    .where('freed_at', '>', now - SLUG_QUARANTINE_MS)
    .executeTakeFirstOrThrow()
  return freed >= FREED_SLUGS_MAX
}

export async function freeSlug(
  db: Db,
  slug: string,
  freed: { project_id: number; freed_by: string | null; freed_at: number },
): Promise<void> {
  await db
    .deleteFrom('freed_slugs')
    .where('freed_at', '<=', freed.freed_at - SLUG_QUARANTINE_MS)
    .execute()
  await db
    .insertInto('freed_slugs')
    .values({ slug, ...freed })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(freed))
    .execute()
}

export async function forgetFreedSlug(db: Db, slug: string): Promise<void> {
  await db.deleteFrom('freed_slugs').where('slug', '=', slug).execute()
}
