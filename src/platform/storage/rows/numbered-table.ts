import { CompiledQuery, type Insertable, sql } from 'kysely'
import type { MaybePromise } from '../../maybe-promise.ts'
import { inChunks } from './insert-rows.ts'
import { execute, prepare } from '../prepared.ts'
import type { Db, Engine, Tables } from '../tables.ts'
import { turnLock } from '../turns.ts'

/** Whose rows belong to a tenant and are numbered within it: see docs/decisions/0020-ids.md. */
export type NumberedName = {
  [Name in keyof Tables]: Tables[Name] extends { project_id: number; environment: string; id: unknown } ? Name : never
}[keyof Tables]

interface OfTenant {
  project_id: number
  environment: string
}

export interface NumberedTable<Name extends NumberedName> {
  /**
   * Adds rows of one shape and returns their ids, in the order of the rows. The rows of a tenant become visible in the
   * order of their ids, so that a cursor passes none that is committed later.
   *
   * On PostgreSQL lock, numbers and rows are one statement: an instance that stops before or after it holds nothing.
   */
  insert(db: Db, engine: Engine, rows: readonly (Omit<Insertable<Tables[Name]>, 'id'> & OfTenant)[]): Promise<number[]>
  /** For the migration. */
  createNumbering(db: Db, engine: Engine): Promise<void>
}

/**
 * Where rows can be deleted, `kept` is the table with the last number that was (`project_id`, `environment`, `last`):
 * none is given twice.
 */
export function numberedTable<Name extends NumberedName>(name: Name, kept?: keyof Tables): NumberedTable<Name> {
  const statements = new Map<string, string>()
  const findLast = prepare(`find the last of ${name}`, (db, tenant: { projectId: number; environment: string }) =>
    db
      .selectFrom(name as 'pets')
      .select('id')
      .where('project_id', '=', tenant.projectId)
      .where('environment', '=', tenant.environment)
      .orderBy('id', 'desc')
      // SQLite plans by a bare parameter of a limit, and so compiles the statement anew for each call.
      .limit(sql.lit(1)),
  )

  return {
    async insert(db, engine, rows) {
      const counts = new Map<string, number>()
      const placed = rows.map((row) => {
        const place = (counts.get(tenantOf(row)) ?? 0) + 1
        counts.set(tenantOf(row), place)
        // Until the tenant's last id is known, which is to be added.
        return { ...row, id: place }
      })
      if (placed.length === 0) return []
      const last = engine === 'postgres' ? await inOneStatement(db, placed) : await behindLast(db, placed)
      return placed.map((row) => (last.get(tenantOf(row)) as number) + row.id)
    },

    async createNumbering(db, engine) {
      if (engine === 'postgres') await sql.raw(numberingFunction(name, kept)).execute(db)
    },
  }

  /** SQLite has one writer: nobody comes between the rows and the question, which travel together. */
  async function behindLast(db: Db, placed: readonly (OfTenant & { id: number })[]): Promise<Map<string, number>> {
    const lastOf = async ([tenant, rows]: [string, readonly OfTenant[]]): Promise<[string, number]> => {
      const { project_id: projectId, environment } = rows[0] as OfTenant
      const inserts = inChunks(rows).map((chunk) => insertBehindLast(db, chunk))
      const found = findLast(db, { projectId, environment })
      await Promise.all([...inserts, found])
      return [tenant, Number((await found)[0]?.id) - rows.length]
    }
    return new Map(await Promise.all([...Map.groupBy(placed, tenantOf)].map(lastOf)))
  }

  function insertBehindLast(db: Db, rows: readonly OfTenant[]): MaybePromise<unknown> {
    const { id: _, ...first } = rows[0] as OfTenant & { id: number }
    const columns = Object.keys(first) as (keyof OfTenant)[]
    const parameters: unknown[] = [first.project_id, first.environment]
    for (const row of rows) for (const column of columns) parameters.push(row[column])
    const shape = `${columns.join()} ${rows.length}`
    const statement = statements.getOrInsertComputed(shape, () => behindLastStatement(name, kept, columns, rows.length))
    return execute(db, CompiledQuery.raw(statement), parameters)
  }

  async function inOneStatement(db: Db, placed: readonly (OfTenant & { id: number })[]): Promise<Map<string, number>> {
    const text = JSON.stringify(placed, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    const statement = insertStatement(name, Object.keys(placed[0] as object))
    const { rows } = await db.executeQuery<OfTenant & { last: number }>(CompiledQuery.raw(statement, [text]))
    return new Map(rows.map((row) => [tenantOf(row), row.last]))
  }
}

/**
 * The first tenant of an installation begins with 1. Every other begins somewhere, so that its ids say nothing about
 * it, and so that the id of one tenant is hardly ever one of another. All of them are exact in JavaScript: below 2^52.
 */
const PLACES = 2 ** 31
const ROOM = 2 ** 20

const tenantOf = ({ project_id, environment }: OfTenant) => `${project_id} ${environment}`

/** Rows of one tenant, whose project and environment are the first two parameters. */
function behindLastStatement(
  table: string,
  kept: string | undefined,
  columns: readonly string[],
  rowCount: number,
): string {
  const values = Array.from({ length: rowCount }, (_, at) => `(${at + 1}${', ?'.repeat(columns.length)})`)
  return `
  with tenant as materialized (
    select coalesce(
      ${lastNumber(table, kept, 'project_id = ?1 and environment = ?2')},
      case when ${anyNumber(table, kept)} then abs(random() % ${PLACES}) * ${ROOM} else 0 end
    ) as last
  )
  insert into ${table} (id, ${columns.join(', ')})
  select last + column1, ${columns.map((_, at) => `column${at + 2}`).join(', ')}
  from tenant, (values ${values.join(', ')})`
}

/** The tenant's highest number so far, of its rows and of those that it had. In one statement, and so of one moment. */
function lastNumber(table: string, kept: string | undefined, isTenants: string): string {
  const lastRow = `select id from ${table} where ${isTenants} order by id desc limit 1`
  if (kept === undefined) return `(${lastRow})`
  return `(
        select max(id) from (
          select id from (${lastRow}) as present union all select ${kept}.last from ${kept} where ${isTenants}
        ) as numbers
      )`
}

const anyNumber = (table: string, kept: string | undefined) =>
  [table, ...(kept === undefined ? [] : [kept])].map((name) => `exists (select 1 from ${name})`).join(' or ')

/** Tenants come in the order of their turns, so that no two statements wait for each other. */
const insertStatement = (table: string, columns: readonly string[]) => `
  with added as materialized (select * from json_populate_recordset(null::${table}, $1::json)),
  tenants as materialized (
    select project_id, environment, number_${table}(project_id, environment, count) as last
    from (
      select project_id, environment, count(*) as count from added group by project_id, environment
      order by concat(project_id, ' ', environment) collate "C"
    ) as turns
  ),
  stored as (
    insert into ${table} (${columns.join(', ')})
    select ${columns.map((column) => (column === 'id' ? 'last + id' : column)).join(', ')}
    from added join tenants using (project_id, environment)
  )
  select project_id, environment, last from tenants`

/**
 * Takes the tenant's turn and returns the last id before. A statement sees what was committed when it began, which is
 * before it had its turn; a function that is volatile looks anew for each of its own statements.
 *
 * Earlier versions number all tenants by one sequence, and may still run beside this one: it is kept ahead of tenants
 * that were numbered by it, so that what they add comes behind what is here.
 */
const numberingFunction = (table: string, kept: string | undefined) => `
  create or replace function number_${table}(of_project bigint, of_environment text, count bigint) returns bigint
  language plpgsql volatile set enable_seqscan = off as $$
  declare
    last bigint;
    behind bigint;
  begin
    perform ${turnLock(`concat('${table} ', of_project, ' ', of_environment)`)};
    select ${lastNumber(table, kept, 'project_id = of_project and environment = of_environment')} into last;
    if last is null then
      last := case when ${anyNumber(table, kept)} then floor(random() * ${PLACES})::bigint * ${ROOM} else 0 end;
    end if;
    select last + count - case when is_called then last_value else 0 end into behind from ${table}_seq;
    if behind <= ${ROOM} then
      perform nextval('${table}_seq') from generate_series(1, behind);
    end if;
    return last;
  end $$`
