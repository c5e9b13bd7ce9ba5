import { sql } from 'kysely'
import { type BoundedCount, countSome, countWritten } from '../../platform/storage/bounded-count.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ListPetsFilter } from './contract.ts'
import { nameRange } from './list.ts'
import { indexedBy, nameKey, petsByIdsQuery } from './list-queries.ts'
import { PET_STATUSES } from './status.ts'

/** How many animals a filter leaves. It is read from the index that the list itself is read from. */
export async function countFoundPets(db: Db, tenant: Tenant, filter: ListPetsFilter): Promise<BoundedCount> {
  const { status, categoryId, id, q } = filter
  if (id !== undefined) return { count: (await findNamed(db, tenant, filter)).length, more: false }
  if (q !== undefined || categoryId !== undefined) return countListed(db, tenant, filter)
  let animals = db
    .selectFrom('pets')
    .select('id')
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
  if (status !== undefined) animals = animals.where('status', '=', status)
  return countSome(db, animals)
}

/** Up to a hundred. Asked otherwise, SQLite looks for them among all of a status, or of a category. */
function findNamed(db: Db, { projectId, environment }: Tenant, { id = [], q, categoryId, status }: ListPetsFilter) {
  return petsByIdsQuery(q === undefined ? 'oldest' : 'name')(db, {
    projectId,
    environment,
    ...nameRange(q ?? ''),
    after: 0,
    categoryId: categoryId ?? null,
    status: status ?? null,
    ids: `[${id.join()}]`,
    limit: id.length,
  })
}

function countListed(db: Db, { projectId, environment }: Tenant, { status, categoryId, q }: ListPetsFilter) {
  const ofCategory = categoryId === undefined ? sql`` : sql` and category_id = ${categoryId}`
  const [name, { afterName, nameEnd }] = [nameKey(db), nameRange(q ?? '')]
  const ofName = q === undefined ? sql`` : sql` and ${name} >= ${afterName} and ${name} < ${nameEnd}`
  const index = indexedBy(db, q === undefined ? 'oldest' : 'name', categoryId !== undefined)
  const parts = (status === undefined ? PET_STATUSES : [status]).map(
    (one) => sql`select id from pets ${index}
      where project_id = ${projectId} and environment = ${environment}${ofCategory} and status = ${one}${ofName}`,
  )
  return countWritten(db, sql.join(parts, sql` union all `))
}
