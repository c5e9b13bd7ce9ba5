import './tables.ts'
import '../tables.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../../platform/tenant.ts'
import type { Int64 } from '../../../platform/int64.ts'
import { nextNumbers } from '../../../platform/storage/sequence.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'

/** Every import of this tenant, oldest first: a handful, one for each file. */
export function findImports(db: Db, { projectId, environment }: Tenant) {
  return db
    .selectFrom('pet_imports')
    .select(['fingerprint', 'source', 'size', 'bytes', 'lines', 'animals', 'finished_at'])
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .orderBy('bytes')
    .execute()
}

export type StoredImport = Awaited<ReturnType<typeof findImports>>[number]

export interface IdRange {
  first: Int64
  last: Int64
}

/**
 * Adds animals in the order of the JSON array `[[name, categoryId, status], …]`, all by one statement with
 * one parameter: thousands of bound values would cost more than the insert.
 */
export function insertPets(
  db: Db,
  engine: Engine,
  batch: { tenant: Tenant; rows: string; count: number; now: number },
): Promise<IdRange> {
  return engine === 'sqlite' ? insertPetsSqlite(db, batch) : insertPetsPostgres(db, batch)
}

async function insertPetsSqlite(
  db: Db,
  { tenant, rows, count, now }: { tenant: Tenant; rows: string; count: number; now: number },
): Promise<IdRange> {
  const ids = await nextNumbers(db, 'sqlite', 'pets', count)
  const [first] = ids as [number]
  await sql`
    insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
    select ${tenant.projectId}, ${tenant.environment}, cast(${first} as integer) + key,
      value ->> 0, value ->> 1, value ->> 2, ${now}, ${now}
    from json_each(${rows})`.execute(db)
  return { first, last: first + count - 1 }
}

async function insertPetsPostgres(
  db: Db,
  { tenant, rows, now }: { tenant: Tenant; rows: string; now: number },
): Promise<IdRange> {
  const { rows: ranges } = await sql<IdRange>`
    with added as (
      insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
      select ${tenant.projectId}::bigint, ${tenant.environment}::text, nextval('pets_seq'),
        value ->> 0, (value ->> 1)::bigint, value ->> 2, ${now}::bigint, ${now}::bigint
      from json_array_elements(${rows}::json) with ordinality as line (value, place)
      order by place
      returning id
    )
    select min(id) as first, max(id) as last from added`.execute(db)
  return ranges[0] as IdRange
}
