import './tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export function findProjectBySlug(db: Db, slug: string) {
  return db.selectFrom('projects').selectAll().where('slug', '=', slug).executeTakeFirst()
}

export function listProjects(db: Db) {
  return db.selectFrom('projects').selectAll().orderBy('slug').execute()
}

export async function isFirstStart(db: Db): Promise<boolean> {
  return (await db.selectFrom('projects').select('id').limit(1).executeTakeFirst()) === undefined
}
