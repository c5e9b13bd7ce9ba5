import { sql } from 'kysely'
import { type BoundedCount, countSome, countWritten } from '../../platform/storage/bounded-count.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ListPetsFilter } from './contract.ts'
import { nameRange } from './list.ts'
import { indexedBy, nameKey } from './list-queries.ts'
import { PET_STATUSES } from './status.ts'

/** How many animals a filter leaves. It is read from the index that the list itself is read from. */
export function countFoundPets(db: Db, tenant: Tenant, filter: ListPetsFilter): Promise<BoundedCount> {
  const { status, categoryId, id, q } = filter
  if (id === undefined && (q !== undefined || categoryId !== undefined)) return countListed(db, tenant, filter)
  let animals = db
    .selectFrom('pets')
    .select('id')
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
  if (status !== undefined) animals = animals.where('status', '=', status)
  if (id !== undefined) animals = animals.where('id', 'in', id)
  if (id !== undefined && categoryId !== undefined) animals = animals.where('category_id', '=', categoryId)
  if (id !== undefined && q !== undefined) animals = animals.where(namesIn(db, q))
  return countSome(db, animals)
}

function countListed(db: Db, { projectId, environment }: Tenant, { status, categoryId, q }: ListPetsFilter) {
  const ofCategory = categoryId === undefined ? sql`` : sql` and category_id = ${categoryId}`
  const ofName = q === undefined ? sql`` : sql` and ${namesIn(db, q)}`
  const index = indexedBy(db, q === undefined ? 'oldest' : 'name', categoryId !== undefined)
  const parts = (status === undefined ? PET_STATUSES : [status]).map(
    (one) => sql`select id from pets ${index}
      where project_id = ${projectId} and environment = ${environment}${ofCategory} and status = ${one}${ofName}`,
  )
  return countWritten(db, sql.join(parts, sql` union all `))
}

function namesIn(db: Db, q: string) {
  const { afterName, nameEnd } = nameRange(q)
  return sql<boolean>`(${nameKey(db)} >= ${afterName} and ${nameKey(db)} < ${nameEnd})`
}
