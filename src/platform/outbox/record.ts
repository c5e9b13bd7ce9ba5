import './tables.ts'
import { newId } from '../id.ts'
import { nextNumber } from '../storage/sequence.ts'
import type { Db, Engine } from '../storage/tables.ts'
import { AT_ONCE } from './due.ts'

export const OUTBOX_SEQUENCE = 'outbox'

export interface NewMessage {
  projectId: number
  type: string
  /** Undefined where the change belongs to both. */
  environment?: string | undefined
  resource: string
  /** A JSON object. */
  data: string
}

/** Tells every subscriber, in the transaction that makes the change. Where there is none it is one look. */
export async function recordMessage(db: Db, engine: Engine, message: NewMessage, now: number): Promise<void> {
  const { projectId, type, environment } = message
  const subscribers = await db
    .selectFrom('outbox_subscriptions')
    .select('subscriber')
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .$if(environment !== undefined, (query) => query.where('environment', 'in', ['*', environment as string]))
    .execute()
  for (const { subscriber } of subscribers) await recordMessageFor(db, engine, subscriber, message, now)
}

/** Tells one subscriber, whatever it has asked for. Returns the message's id. */
export async function recordMessageFor(
  db: Db,
  engine: Engine,
  subscriber: string,
  { projectId, type, environment, resource, data }: NewMessage,
  now: number,
): Promise<string> {
  const id = newId('msg')
  await db
    .insertInto('outbox_messages')
    .values({
      subscriber,
      seq: await nextNumber(db, engine, OUTBOX_SEQUENCE),
      id,
      project_id: projectId,
      type,
      environment: environment ?? null,
      resource,
      data,
      created_at: now,
      due_at: AT_ONCE,
      attempts: 0,
      first_attempt_at: null,
      delivered_at: null,
    })
    .execute()
  return id
}
