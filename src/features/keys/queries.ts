import './tables.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Environment } from '../../platform/http/operation.ts'
import { prepare } from '../../platform/storage/prepared.ts'

export const findKeyByHash = prepare('findKeyByHash', (db, { hash }: { hash: string }) =>
  db.selectFrom('keys').selectAll().where('hash', '=', hash),
)

export function listKeysOfProject(db: Db, projectId: number, environment?: Environment) {
  const keys = db
    .selectFrom('keys')
    .leftJoin('key_last_uses', 'key_last_uses.key_id', 'keys.id')
    .selectAll('keys')
    .select('key_last_uses.at as last_used_at')
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
  return (environment ? keys.where('environment', '=', environment) : keys).execute()
}

export function findKey(db: Db, projectId: number, id: string) {
  return db.selectFrom('keys').selectAll().where('id', '=', id).where('project_id', '=', projectId).executeTakeFirst()
}

export async function findLastUse(db: Db, id: string): Promise<number | null> {
  const use = db.selectFrom('key_last_uses').select('at').where('key_id', '=', id)
  return (await use.executeTakeFirst())?.at ?? null
}

/** The key of any project, for the operator. */
export function findKeyById(db: Db, id: string) {
  return db.selectFrom('keys').select(['project_id', 'environment']).where('id', '=', id).executeTakeFirst()
}

export async function countActiveKeys(db: Db, projectId: number, now: number): Promise<number> {
  const { active } = await db
    .selectFrom('keys')
    .select((eb) => eb.fn.countAll<number>().as('active'))
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return active
}
