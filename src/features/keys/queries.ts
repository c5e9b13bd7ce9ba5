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
    .selectAll('keys')
    .select((eb) =>
      eb
        .selectFrom('key_usage')
        .whereRef('key_usage.key_id', '=', 'keys.id')
        .select((usage) => usage.fn.max('last_at').as('last'))
        .as('last_used_at'),
    )
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
  return (environment ? keys.where('environment', '=', environment) : keys).execute()
}

export function findKey(db: Db, projectId: number, id: string) {
  return db.selectFrom('keys').selectAll().where('id', '=', id).where('project_id', '=', projectId).executeTakeFirst()
}

export async function findLastUse(db: Db, id: string): Promise<number | null> {
  const use = db
    .selectFrom('key_usage')
    .select((eb) => eb.fn.max('last_at').as('last'))
    .where('key_id', '=', id)
  return (await use.executeTakeFirst())?.last ?? null
}
