import type { Clock } from '../../platform/clock.ts'
import type { Actor, AuditNote } from '../../platform/storage/audit-note.ts'
import { type AnyWrite, defineWrite, type Storage, type Write } from '../../platform/storage/storage.ts'
import { recordAudit } from './record.ts'

interface ActedInput {
  input: unknown
  actor: Actor
  now: number
}

export interface AuditedWrite extends Write<ActedInput, unknown> {
  /** Name of the write that it contains. */
  readonly of: string
}

/**
 * The same transaction with its audit entries inside. `describe` gets what went in and what came out,
 * and returns nothing where nothing has changed.
 */
export function audited<Input, Outcome>(
  write: Write<Input, Outcome>,
  describe: (input: Input, outcome: Outcome) => AuditNote | readonly AuditNote[] | undefined,
): AuditedWrite {
  const run = async (...[db, { input, actor, now }, engine]: Parameters<AuditedWrite['run']>) => {
    const outcome = await write.run(db, input as Input, engine)
    const described = describe(input as Input, outcome) ?? []
    const notes: readonly AuditNote[] = Array.isArray(described) ? described : [described as AuditNote]
    for (const note of notes) await recordAudit(db, engine, actor, note, now)
    return outcome
  }
  return { ...defineWrite(`audited ${write.name}`, run), of: write.name }
}

/**
 * Makes storages through which nothing can be changed without an audit entry: a write that has none is refused.
 * Notes that do not stand beside their writes yet are in the list.
 */
export function auditTrail(auditedWrites: readonly AuditedWrite[]) {
  const byName = new Map(auditedWrites.map((write) => [write.of, write]))

  return (storage: Storage, actor: Actor, clock: Clock): Storage => ({
    engine: storage.engine,
    read: storage.read,
    version: () => storage.version(),
    async write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      const recorded: AnyWrite | undefined = write.note ? audited(write, write.note) : byName.get(write.name)
      if (!recorded) throw new Error(`${write.name} says nothing about its audit entry: give it a note.`)
      return storage.write(recorded, { input, actor, now: clock.now() })
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  })
}
