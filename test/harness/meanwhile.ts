import { sql } from 'kysely'
import { defineWrite, type Storage, type Write } from '../../src/platform/storage/storage.ts'
import type { Db } from '../../src/platform/storage/tables.ts'
import { until } from './until.ts'

/**
 * Begins the second thing while the transaction of the first has everything written and nothing committed. On
 * PostgreSQL the first commits once the second waits for it, or has ended without; SQLite has one writer.
 */
export async function meanwhile<Input, Outcome>(
  storage: Storage,
  write: Write<Input, unknown>,
  input: Input,
  second: () => Promise<Outcome>,
  /** What the first goes on with, in its transaction, while the second waits. */
  goOn?: Write<Input, unknown>['run'],
): Promise<Outcome> {
  const written = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let hasEnded = false
  const held = defineWrite('test.held', async (db, given: Input, engine) => {
    await write.run(db, given, engine)
    written.resolve()
    await begun.promise
    if (engine === 'postgres') await until('the second one waits', async () => hasEnded || (await isWaitedFor(db)))
    await goOn?.(db, given, engine)
  })
  const first = storage.write(held, input)
  await Promise.race([written.promise, first])
  const outcome = second().finally(() => (hasEnded = true))
  begun.resolve()
  await Promise.all([first, outcome])
  return outcome
}

/** Asked by the transaction itself: the server ends one that is silent. */
async function isWaitedFor(db: Db): Promise<boolean> {
  const waiting = sql`select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
  return (await waiting.execute(db)).rows.length > 0
}
