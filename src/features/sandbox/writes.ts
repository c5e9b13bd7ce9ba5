import './tables.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { listFaults, listRecords, listZones } from './queries.ts'

/** Announced with an apex when something in its zone has changed. */
export const SANDBOX_TOPIC = 'sandbox'

const ZONES_MAX = 50
const RECORDS_MAX = 200
const FAULTS_MAX = 20

interface ZoneChange {
  apex: string
  now: number
}

export interface NewRecord extends ZoneChange {
  id: string
  name: string
  type: string
  ttl: number
  data: string
  onlyOn: string | null
}

export interface NewFault extends ZoneChange {
  id: string
  kind: string
  name: string | null
  type: string | null
  onlyOn: string | null
}

interface Deletion extends ZoneChange {
  id: string
}

export const insertZone = defineWrite(
  'sandbox.insertZone',
  async (db, { apex, now }: ZoneChange, engine) => {
    await takeTurn(db, engine, 'sandbox zones')
    const zones = await listZones(db)
    if (zones.some((zone) => zone.apex === apex)) return 'exists' as const
    if (zones.length >= ZONES_MAX) return 'too_many' as const
    await db.insertInto('sandbox_zones').values({ apex, serial: 1 }).execute()
    await publishChange(db, engine, SANDBOX_TOPIC, apex, now)
    return 'added' as const
  },
  {
    note: ({ apex }, outcome) => (outcome === 'added' ? { verb: 'sandbox.zone', subject: apex } : undefined),
  },
)

export const deleteZone = defineWrite(
  'sandbox.deleteZone',
  async (db, { apex, now }: ZoneChange, engine) => {
    const { numDeletedRows } = await db.deleteFrom('sandbox_zones').where('apex', '=', apex).executeTakeFirst()
    await publishChange(db, engine, SANDBOX_TOPIC, apex, now)
    return numDeletedRows > 0n
  },
  {
    note: ({ apex }, gone) => (gone ? { verb: 'sandbox.zone-remove', subject: apex } : undefined),
  },
)

export const insertRecord = defineWrite(
  'sandbox.insertRecord',
  async (db, input: NewRecord, engine) => {
    const { apex, id, name, type, ttl, data, onlyOn: only_on, now } = input
    if ((await listRecords(db, apex)).length >= RECORDS_MAX) return 'too_many' as const
    if (!(await touch(db, engine, input))) return 'missing' as const
    await db.insertInto('sandbox_records').values({ id, apex, name, type, ttl, data, only_on, added_at: now }).execute()
    return 'added' as const
  },
  {
    note: ({ name, type, data }, outcome) =>
      outcome === 'added' ? { verb: 'sandbox.record', subject: name, details: { type, data } } : undefined,
  },
)

export const deleteRecord = defineWrite(
  'sandbox.deleteRecord',
  async (db, input: Deletion, engine) => {
    const { numDeletedRows } = await db
      .deleteFrom('sandbox_records')
      .where('id', '=', input.id)
      .where('apex', '=', input.apex)
      .executeTakeFirst()
    await touch(db, engine, input)
    return numDeletedRows > 0n
  },
  {
    note: ({ apex, id }, gone) =>
      gone ? { verb: 'sandbox.record-remove', subject: apex, details: { id } } : undefined,
  },
)

export interface AppliedTemplate extends ZoneChange {
  service: string
  removed: readonly string[]
  added: readonly Omit<NewRecord, keyof ZoneChange | 'onlyOn'>[]
}

/** What somebody has agreed to at the registrar, as a whole. */
export const applyTemplate = defineWrite(
  'sandbox.applyTemplate',
  async (db, input: AppliedTemplate, engine) => {
    const { apex, removed, added, now } = input
    const left = (await listRecords(db, apex)).filter(({ id }) => !removed.includes(id))
    if (left.length + added.length > RECORDS_MAX) return 'too_many' as const
    if (!(await touch(db, engine, input))) return 'missing' as const
    if (removed.length > 0) {
      await db.deleteFrom('sandbox_records').where('apex', '=', apex).where('id', 'in', removed).execute()
    }
    const rows = added.map((record) => ({ ...record, apex, only_on: null, added_at: now }))
    await db.insertInto('sandbox_records').values(rows).execute()
    return 'added' as const
  },
  {
    note: ({ apex, service }, outcome) =>
      outcome === 'added' ? { verb: 'sandbox.apply', subject: apex, details: { service } } : undefined,
  },
)

export const insertFault = defineWrite(
  'sandbox.insertFault',
  async (db, input: NewFault, engine) => {
    const { apex, id, kind, name, type, onlyOn: only_on, now } = input
    if ((await listFaults(db, apex)).length >= FAULTS_MAX) return 'too_many' as const
    if (!(await touch(db, engine, input))) return 'missing' as const
    await db.insertInto('sandbox_faults').values({ id, apex, kind, name, type, only_on, added_at: now }).execute()
    return 'added' as const
  },
  {
    note: ({ apex, kind }, outcome) =>
      outcome === 'added' ? { verb: 'sandbox.fault', subject: apex, details: { kind } } : undefined,
  },
)

export const deleteFault = defineWrite(
  'sandbox.deleteFault',
  async (db, input: Deletion, engine) => {
    const { numDeletedRows } = await db
      .deleteFrom('sandbox_faults')
      .where('id', '=', input.id)
      .where('apex', '=', input.apex)
      .executeTakeFirst()
    await touch(db, engine, input)
    return numDeletedRows > 0n
  },
  {
    note: ({ apex, id }, gone) => (gone ? { verb: 'sandbox.fault-remove', subject: apex, details: { id } } : undefined),
  },
)

/** Every edit has a serial of its own, as at a real provider. */
async function touch(db: Db, engine: Engine, { apex, now }: ZoneChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sandbox_zones')
    .set((eb) => ({ serial: eb('serial', '+', 1) }))
    .where('apex', '=', apex)
    .executeTakeFirst()
  await publishChange(db, engine, SANDBOX_TOPIC, apex, now)
  return numUpdatedRows > 0n
}
