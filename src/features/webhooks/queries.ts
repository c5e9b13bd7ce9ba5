import './tables.ts'
import type { Selectable } from 'kysely'
import type { Db, Engine, Tables } from '../../platform/storage/tables.ts'

export type Endpoint = Selectable<Tables['webhook_endpoints']>
export type Attempt = Selectable<Tables['webhook_attempts']>

export async function findEndpoint(db: Db, id: string): Promise<Endpoint | undefined> {
  return db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst()
}

/** For a transaction that changes it: whoever else would waits, and then sees what it has become. */
export async function findEndpointForUpdate(db: Db, engine: Engine, id: string): Promise<Endpoint | undefined> {
  const query = db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id)
  return (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

/** Of a project, the oldest first. */
export async function listEndpointsOf(db: Db, projectId: number): Promise<Endpoint[]> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The newest attempt of each message, and how many there were. */
export async function listAttempts(db: Db, endpointId: string, messageIds: readonly string[]): Promise<Attempt[]> {
  if (messageIds.length === 0) return []
  return db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('message_id', 'in', messageIds)
    .orderBy('seq', 'desc')
    .execute()
}

/** Between the first and the newest of the attempts since the last answer. */
export async function findSilenceMs(db: Db, endpointId: string): Promise<number> {
  const attempts = db.selectFrom('webhook_attempts').where('endpoint_id', '=', endpointId)
  const answered = await attempts
    .select('seq')
    .where('status', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const since = attempts.select('at').where('seq', '>', answered?.seq ?? 0)
  const first = await since.orderBy('seq').limit(1).executeTakeFirst()
  const newest = await since.orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return first && newest ? newest.at - first.at : 0
}
