import { type RawBuilder, sql } from 'kysely'
import type { Migration } from '../storage/migrations.ts'
import { defineWrite } from '../storage/storage.ts'
import type { Db, Engine } from '../storage/tables.ts'

declare module '../storage/tables.ts' {
  interface Tables {
    /** Budgets that are not whole, by a hash of their names; `full_at` is when each is, on the database's clock. */
    limit_levels: { bucket: string; full_at: number }
  }
}

/** On PostgreSQL outside of its log: nothing waits for a disk or a standby, and a crash of it makes all whole. */
export const limitLevelsMigration: Migration = {
  name: '0032_limit_levels',
  async up(db, engine) {
    await db.schema
      .createTable('limit_levels')
      .$call((table) => (engine === 'postgres' ? table.modifyFront(sql`unlogged`) : table))
      .addColumn('bucket', 'text', (column) => column.primaryKey())
      .addColumn('full_at', 'double precision', (column) => column.notNull())
      .execute()
  },
}

interface Charge {
  bucket: string
  /** How much later it will be whole. */
  ms: number
  /** What was used before makes it whole within this; later only when the database's clock was set back since. */
  mostMs: number
}

export type DatabaseNow = (engine: Engine) => RawBuilder<number>

interface Charges {
  charges: readonly Charge[]
  databaseNow: DatabaseNow
}

/** For each bucket how long it takes until it is whole, after these and everybody else's charges. */
export const chargeBuckets = defineWrite(
  'limits.charge',
  async (db, input: Charges, engine) => chargeTogether(db, [input], engine),
  {
    oneStatement: true,
    async runMany(db, inputs: Charges[], engine) {
      const levels = await chargeTogether(db, inputs, engine)
      return inputs.map(() => levels)
    },
  },
)

async function chargeTogether(db: Db, inputs: readonly Charges[], engine: Engine): Promise<Map<string, number>> {
  const sums = new Map<string, Charge>()
  for (const charge of inputs.flatMap(({ charges }) => charges)) {
    sums.set(charge.bucket, { ...charge, ms: (sums.get(charge.bucket)?.ms ?? 0) + charge.ms })
  }
  const json = JSON.stringify([...sums.values()])
  const now = (inputs[0] as Charges).databaseNow(engine)
  const [charges, latest, earliest] =
    engine === 'postgres'
      ? [
          sql`select * from jsonb_to_recordset(${json}::jsonb)
            as charge (bucket text, ms double precision, "mostMs" double precision)`,
          sql`greatest`,
          sql`least`,
        ]
      : [
          sql`select value ->> 'bucket' as bucket, value ->> 'ms' as ms, value ->> 'mostMs' as "mostMs"
            from json_each(${json})`,
          sql`max`,
          sql`min`,
        ]
  // In one order, so that no two wait for each other.
  const { rows: levels } = await sql<{ bucket: string; ms: number }>`
    with charges as materialized (${charges})
    insert into limit_levels as level (bucket, full_at)
    select bucket, ${now} + ms from charges where true order by bucket
    on conflict (bucket) do update set full_at = excluded.full_at - ${now} + ${earliest}(
      ${latest}(level.full_at, ${now}),
      ${now} + (select "mostMs" from charges where charges.bucket = level.bucket)
    )
    returning bucket, full_at - ${now} as ms`.execute(db)
  return new Map(levels.map(({ bucket, ms }) => [bucket, ms]))
}

/** Budgets that are whole again need no row. */
export const sweepLevels = defineWrite('limits.sweep', async (db, databaseNow: DatabaseNow, engine) => {
  // Not what somebody is charging just now: it would have to wait.
  const unlocked = engine === 'postgres' ? sql`for update skip locked` : sql``
  await sql`delete from limit_levels where bucket in
    (select bucket from limit_levels where full_at <= ${databaseNow(engine)} ${unlocked})`.execute(db)
})

export const databaseNow: DatabaseNow = (engine) =>
  engine === 'postgres' ? sql`(extract(epoch from now()) * 1000)::double precision` : sql`unixepoch('subsec') * 1000.0`
