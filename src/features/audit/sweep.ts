import './tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'

/** A log that was never swept is taken away over some hours, not at once. */
const STEPS_MAX = 100

const deleteOldEntries = defineWrite('audit.sweep', (db, { before }: { before: number }) =>
  deleteSome(db, { table: 'audit_entries', key: ['id'], where: sql`at < ${before}` }),
)

/** Takes away entries that are older than the log is kept. */
export async function sweepAudit(storage: Storage, days: number, now: number): Promise<void> {
  const before = now - days * DAY_MS
  for (let step = 0; step < STEPS_MAX; step++) {
    if (!(await storage.write(deleteOldEntries, { before }))) return
  }
}
