import './tables.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'

/** Who made a change: a person with an account, the operator at the machine, the service itself, or nobody known. */
export interface Actor {
  kind: 'account' | 'command' | 'system' | 'visitor'
  id: string | null
  /** As it was at that moment: an e-mail address, or a word for the others. */
  name: string
}

export const COMMAND: Actor = { kind: 'command', id: null, name: 'petstore command' }
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'Petstore' }
export const VISITOR: Actor = { kind: 'visitor', id: null, name: 'visitor' }

/** What happened, in words: `key.revoke` of `key_…`. Details are chosen one by one, so that no secret slips in. */
export interface AuditNote {
  verb: string
  subject: string
  projectId?: number | null
  accountId?: string | null
  details?: Record<string, string | number | boolean | null>
  /** Where the change itself reveals who made it, such as a sign-in. */
  actor?: Actor
}

/** Writes the entry in the transaction that makes the change. */
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
      subject: note.subject,
      details: JSON.stringify(note.details ?? {}),
    })
    .execute()
}
