import { type RawBuilder, sql } from 'kysely'
import type { Int64 } from '../../platform/int64.ts'
import { engineOf } from '../../platform/storage/engine-of.ts'
import type { PageRow } from '../../platform/storage/json-page.ts'
import { type PreparedQuery, prepare } from '../../platform/storage/prepared.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { PET_ORDERS, PET_STATUSES, type PetOrder, type PetStatus } from './status.ts'
import { pets } from './tables.ts'

export interface PetListParameters extends Record<string, unknown> {
  projectId: number
  environment: string
  categoryId: Int64 | null
  status: PetStatus | null
  /** The id, and in the order of names the name, behind which the page begins. */
  after: Int64
  afterName: string
  /** Comes behind every name that is looked for. */
  nameEnd: string
  limit: number
}

/** A name as it is sorted and looked for: SQLite has a column for it, PostgreSQL an index on what is written here. */
export const nameKey = (db: Db) => (engineOf(db) === 'sqlite' ? sql.ref('name_key') : sql`lower(name collate "C")`)

interface Order {
  columns(db: Db): RawBuilder<unknown>
  behind(db: Db, list: PetListParameters): RawBuilder<unknown>
  by: RawBuilder<unknown>
}

const ORDERS: Record<PetOrder, Order> = {
  oldest: { columns: () => sql`id`, behind: (_, { after }) => sql`id > ${after}`, by: sql`id` },
  newest: { columns: () => sql`id`, behind: (_, { after }) => sql`id < ${after}`, by: sql`id desc` },
  name: {
    columns: (db) => sql`id, ${nameKey(db)} as name_key`,
    behind: (db, { after, afterName, nameEnd }) =>
      sql`(${nameKey(db)}, id) > (${afterName}, ${after}) and ${nameKey(db)} < ${nameEnd}`,
    by: sql`name_key, id`,
  },
}

type ListQuery = PreparedQuery<PetListParameters, PageRow>

/** Which of the filters that decide on the index a list has. */
interface Filtered {
  byCategory: boolean
  byStatus: boolean
}

const listName = (order: PetOrder, { byCategory, byStatus }: Filtered) =>
  `findPets ${order}${byCategory ? ' of a category' : ''}${byStatus ? ' of a status' : ''}`

const listQueries = new Map<string, ListQuery>()
for (const order of PET_ORDERS) {
  for (const byCategory of [false, true]) {
    for (const byStatus of [false, true]) {
      // By id, and of all categories: `queries.ts` has what most lists are.
      if (order !== 'name' && !byCategory) continue
      const filtered = { byCategory, byStatus }
      const name = listName(order, filtered)
      listQueries.set(
        name,
        prepare(name, (db, list: PetListParameters) => listOf(db, list, order, filtered)),
      )
    }
  }
}

/** The list in this order, by these filters: for each of them there is an index that has just its rows, sorted. */
export const petListQuery = (order: PetOrder, filtered: Filtered) =>
  listQueries.get(listName(order, filtered)) as ListQuery

/**
 * The indexes all have the status before what they are sorted by. A list of every status is merged from one list of
 * each: three short looks into one index cost less than a second index would cost every animal that is added.
 */
function listOf(db: Db, list: PetListParameters, order: PetOrder, { byCategory, byStatus }: Filtered) {
  const { columns, behind, by } = ORDERS[order]
  const { projectId, environment, categoryId, limit } = list
  // SQLite plans by a bare parameter of a limit, and so compiles the statement anew for each call.
  const end = sql`order by ${by} limit cast(${limit} as integer)`
  const ofTenant = sql`project_id = ${projectId} and environment = ${environment}`
  const ofCategory = byCategory ? sql` and category_id = ${categoryId}` : sql``
  const ofOne = (status: unknown) => sql`
    select ${columns(db)}, ${pets.jsonText(db)} as json from pets ${indexedBy(db, order, byCategory)}
    where ${ofTenant}${ofCategory} and status = ${status} and ${behind(db, list)}`

  if (byStatus) return queryOf(db, sql`${ofOne(list.status)} ${end}`)
  const parts = PET_STATUSES.map((status) =>
    // SQLite merges what it reads, row by row; PostgreSQL need not, so that each part has its own end there.
    engineOf(db) === 'sqlite'
      ? ofOne(sql.lit(status))
      : sql`select * from (${ofOne(sql.lit(status))} ${end}) as ${sql.ref(status)}`,
  )
  return queryOf(db, sql`${sql.join(parts, sql` union all `)} ${end}`)
}

const queryOf = (db: Db, query: RawBuilder<unknown>) => ({
  compile: () => sql<PageRow>`${query}`.compile(db),
})

/** SQLite keeps no statistics, and takes an index that happens to hold what is shown. PostgreSQL knows by itself. */
export function indexedBy(db: Db, order: PetOrder, byCategory: boolean): RawBuilder<unknown> {
  if (engineOf(db) !== 'sqlite') return sql``
  if (order !== 'name') return sql`indexed by pets_by_category`
  return byCategory ? sql`indexed by pets_by_category_name` : sql`indexed by pets_by_status_name`
}

export interface NamedPets extends PetListParameters {
  /** A JSON array. */
  ids: string
}

const idQueries = new Map(
  PET_ORDERS.map((order) => {
    const query = prepare(`findPets ${order} by ids`, (db, list: NamedPets) => namedOf(db, list, order))
    return [order, query]
  }),
)

/** Of up to a hundred animals: they are found by their ids, whatever else is asked of them. */
export const petsByIdsQuery = (order: PetOrder) => idQueries.get(order) as PreparedQuery<NamedPets, PageRow>

function namedOf(db: Db, list: NamedPets, order: PetOrder) {
  const { columns, behind, by } = ORDERS[order]
  const { projectId, environment, ids, categoryId, status, limit } = list
  const values =
    engineOf(db) === 'sqlite'
      ? sql`select value from json_each(${ids})`
      : sql`select value::bigint from json_array_elements_text(${ids}::json)`
  return queryOf(
    db,
    sql`
    with named as materialized (
      select * from pets
      where project_id = ${projectId} and environment = ${environment} and id in (${values})
    )
    select ${columns(db)}, ${pets.jsonText(db)} as json from named
    where ${orAny('category_id', 'bigint', categoryId)} and ${orAny('status', 'text', status)} and ${behind(db, list)}
    order by ${by} limit cast(${limit} as integer)`,
  )
}

const orAny = (column: string, type: string, value: unknown) =>
  sql`(cast(${value} as ${sql.raw(type)}) is null or ${sql.ref(column)} = ${value})`
