import './tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

export function listZones(db: Db) {
  return db.selectFrom('sandbox_zones').selectAll().orderBy('apex').execute()
}

export function listRecords(db: Db, apex?: string) {
  const records = db
    .selectFrom('sandbox_records')
    .selectAll()
    .orderBy('apex')
    .orderBy('name')
    .orderBy('added_at')
    .orderBy('id')
  return (apex === undefined ? records : records.where('apex', '=', apex)).execute()
}

export function listFaults(db: Db, apex?: string) {
  const faults = db.selectFrom('sandbox_faults').selectAll().orderBy('apex').orderBy('added_at').orderBy('id')
  return (apex === undefined ? faults : faults.where('apex', '=', apex)).execute()
}
