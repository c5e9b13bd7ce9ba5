import './tables.ts'
import { prepare } from '../../../platform/storage/prepared.ts'
import type { Db } from '../../../platform/storage/tables.ts'

export const findTokenByHash = prepare('findTokenByHash', (db, { hash }: { hash: string }) =>
  db.selectFrom('tokens').selectAll().where('hash', '=', hash),
)

export function findToken(db: Db, projectId: number, id: string) {
  return db.selectFrom('tokens').selectAll().where('id', '=', id).where('project_id', '=', projectId).executeTakeFirst()
}

export function listTokensOfProject(db: Db, projectId: number) {
  const tokens = db.selectFrom('tokens').selectAll().where('project_id', '=', projectId)
  return tokens.orderBy('created_at').orderBy('id').execute()
}

export async function countLiveTokens(db: Db, projectId: number, now: number): Promise<number> {
  const { live } = await db
    .selectFrom('tokens')
    .select((eb) => eb.fn.countAll<number>().as('live'))
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(live)
}
