import './tables.ts'
import { DAY_MS } from '../../platform/clock.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'

/** A transaction of a few milliseconds: other writers hardly notice. */
const ROWS_PER_STEP = 500
/** A log that was never swept is taken away over some hours, not at once. */
const STEPS_MAX = 200

/** Entries are numbered as they come: those to go are the first ones, and no index is needed to find them. */
const deleteOldEntries = defineWrite('audit.sweep', async (db, { before }: { before: number }) => {
  const oldest = await db.selectFrom('audit_entries').select(['id', 'at']).orderBy('id').limit(ROWS_PER_STEP).execute()
  const old = oldest.filter(({ at }) => at < before).map(({ id }) => id)
  if (old.length > 0) await db.deleteFrom('audit_entries').where('id', 'in', old).execute()
  return { isMore: old.length === ROWS_PER_STEP }
})

/** Takes away entries that are older than the log is kept. */
export async function sweepAudit(storage: Storage, days: number, now: number): Promise<void> {
  const before = now - days * DAY_MS
  for (let step = 0; step < STEPS_MAX; step++) {
    if (!(await storage.write(deleteOldEntries, { before })).isMore) return
  }
}
