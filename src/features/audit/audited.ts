import type { Clock } from '../../platform/clock.ts'
import type { Actor, AuditNote } from '../../platform/storage/audit-note.ts'
import { type AuditedStorage, defineWrite, type NotedWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { recordAudit } from './record.ts'

/** What else a change gives rise to, in its own transaction: a mail to the person whom it concerns. */
export type Tell = (db: Db, engine: Engine, note: AuditNote, now: number) => Promise<void>

/** A storage for one actor: whatever is written through it leaves its audit entries in the same transaction. */
export function storageOf(storage: Storage, actor: Actor, clock: Clock, tell?: Tell): AuditedStorage {
  return {
    engine: storage.engine,
    read: storage.read,
    version: () => storage.version(),
    versionOf: (resource, tenant) => storage.versionOf(resource, tenant),
    write: (write, input) => storage.write(withEntries(write, actor, clock.now(), tell), input),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

function withEntries<Input, Outcome>(
  write: NotedWrite<Input, Outcome>,
  actor: Actor,
  now: number,
  tell: Tell | undefined,
) {
  return defineWrite(`${write.name} with its audit entries`, async (db, input: Input, engine) => {
    const outcome = await write.run(db, input, engine)
    const notes = [write.note(input, outcome) ?? []].flat()
    for (const note of notes) {
      await recordAudit(db, engine, actor, note, now)
      await tell?.(db, engine, note, now)
    }
    return outcome
  })
}
