import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { defineWrite, type Storage } from './storage.ts'

const PROBE_EVERY_MS = 1000
/** More pages than any write of a request takes: room for a smaller one may be left in the log of a full disk. */
const PROBE_BYTES = 48 * 1024

const probe = defineWrite('settings.probe', async (db, value: string) => {
  await db
    .insertInto('settings')
    .values({ name: 'probe', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
})

/**
 * Asks whether the database can be read and, where it is a file of ours, written; rejects with the reason. However
 * often it is asked, a second passes between two writes.
 */
export function readiness(storage: Storage, clock: Clock): () => Promise<void> {
  let latest: Promise<void> | undefined
  /** Undefined while a write is under way: it is shared, and so a disk that hangs is asked once. */
  let answeredAt: number | undefined

  return async () => {
    await storage.read.selectFrom('settings').select('name').limit(1).execute()
    if (storage.engine === 'postgres') return
    const ageMs = answeredAt === undefined ? 0 : Math.abs(clock.now() - answeredAt)
    if (latest === undefined || ageMs >= PROBE_EVERY_MS) {
      answeredAt = undefined
      latest = tryWrite(storage).finally(() => (answeredAt = clock.now()))
    }
    return latest
  }
}

async function tryWrite(storage: Storage): Promise<void> {
  try {
    await storage.write(probe, randomBytes(PROBE_BYTES).toString('base64'))
  } catch (error) {
    // The sentence for clients says nothing of the cause, and the operator asks for nothing else.
    const { message } = ((error as Error).cause ?? error) as Error
    throw new Error(`The database cannot be written: ${message}.`, { cause: error })
  }
}
