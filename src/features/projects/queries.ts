import './tables.ts'
import { containing, type ListPart } from '../../platform/storage/rows/containing.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'

export function findProjectBySlug(db: Db, slug: string) {
  const project = db.selectFrom('projects').selectAll().where('slug', '=', slug)
  return project.where('deleted_at', 'is', null).executeTakeFirst()
}

export function findProjectById(db: Db, id: number) {
  return db.selectFrom('projects').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** For a transaction that changes it: whoever else would waits, and then sees what it has become. */
export function findProjectForUpdate(db: Db, engine: Engine, id: number) {
  const query = db.selectFrom('projects').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  // The weaker lock: rows that refer to the project are written meanwhile.
  return (engine === 'postgres' ? query.forNoKeyUpdate() : query).executeTakeFirst()
}

/** In the order of their slugs. */
export function listProjectRows(db: Db, { q, after, limit }: ListPart) {
  let projects = db.selectFrom('projects').selectAll().where('deleted_at', 'is', null).orderBy('slug')
  if (q !== undefined) projects = projects.where(containing(db, ['name', 'slug'], q))
  if (after !== undefined) projects = projects.where('slug', '>', after)
  return (limit === undefined ? projects : projects.limit(limit)).execute()
}

/** Projects whose deletion has begun and is not finished. */
export function listDeletedProjects(db: Db) {
  return db.selectFrom('projects').select('id').where('deleted_at', 'is not', null).orderBy('id').execute()
}

export async function isFirstStart(db: Db): Promise<boolean> {
  return (await db.selectFrom('projects').select('id').limit(1).executeTakeFirst()) === undefined
}

/** The project that was created first, of those that are left. */
export async function findFirstSlug(db: Db): Promise<string | undefined> {
  const first = db.selectFrom('projects').select('slug').where('deleted_at', 'is', null).orderBy('id').limit(1)
  return (await first.executeTakeFirst())?.slug
}

export async function findNewestProjectId(db: Db): Promise<number> {
  const newest = await db.selectFrom('projects').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest?.id ?? 0
}
