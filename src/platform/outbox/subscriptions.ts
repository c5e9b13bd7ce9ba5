import './tables.ts'
import type { Db } from '../storage/tables.ts'

export interface Subscriber {
  id: string
  projectId: number
  types: readonly string[]
  /** Undefined for both. */
  environment: string | undefined
}

/** What it hears of from now on, and nothing else. */
export async function subscribe(db: Db, { id, projectId, types, environment = '*' }: Subscriber): Promise<void> {
  await unsubscribe(db, id)
  const rows = types.map((type) => ({ project_id: projectId, type, subscriber: id, environment }))
  if (rows.length > 0) await db.insertInto('outbox_subscriptions').values(rows).execute()
}

export async function unsubscribe(db: Db, id: string): Promise<void> {
  await db.deleteFrom('outbox_subscriptions').where('subscriber', '=', id).execute()
}

/** Nobody is told of the end of a project row by row. */
export async function unsubscribeProject(db: Db, projectId: number): Promise<void> {
  await db.deleteFrom('outbox_subscriptions').where('project_id', '=', projectId).execute()
}
