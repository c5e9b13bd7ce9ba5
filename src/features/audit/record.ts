import './tables.ts'
import type { Actor, AuditNote } from '../../platform/storage/audit-note.ts'
import { recordMessage } from '../../platform/outbox/record.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { eventOf } from './events.ts'
import { beginningOf } from '../../platform/schema.ts'

export const COMMAND: Actor = { kind: 'command', id: null, name: 'petstore command' }
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'the service' }
export const VISITOR: Actor = { kind: 'visitor', id: null, name: 'visitor' }

/** Announced with a project's id, an account's id and a noun, each where there is one: `12  domain`. */
export const CHANGED_TOPIC = 'changed'

/** No entry is large, whatever people write into names and addresses. */
const TEXT_MAX = 500
const shortened = (_: string, value: unknown) => (typeof value === 'string' ? beginningOf(value, TEXT_MAX) : value)

/** Writes the entry in the transaction that makes the change, and what programs are told of it. */
export async function recordAudit(db: Db, engine: Engine, actor: Actor, note: AuditNote, now: number): Promise<void> {
  const { kind, id: actorId, name } = note.actor ?? actor
  const id = await nextNumber(db, engine, 'audit')
  await db
    .insertInto('audit_entries')
    .values({
      id,
      at: now,
      project_id: note.projectId ?? null,
      account_id: note.accountId ?? null,
      actor_kind: kind,
      actor_id: actorId,
      actor_name: name,
      verb: note.verb,
      subject: beginningOf(note.subject, TEXT_MAX),
      details: JSON.stringify(note.details ?? {}, shortened),
    })
    .execute()
  const [noun] = note.verb.split('.')
  await publishChange(db, engine, CHANGED_TOPIC, `${note.projectId ?? ''} ${note.accountId ?? ''} ${noun}`, now)
  const event = eventOf(note)
  if (event) await recordMessage(db, engine, event, now)
}
