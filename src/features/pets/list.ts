import { invalid } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/lists/page.ts'
import type { Int64 } from '../../platform/int64.ts'
import { type MaybePromise, whenThere } from '../../platform/maybe-promise.ts'
import { BEHIND_LAST, type JsonPage, pageOfRows } from '../../platform/storage/json-page.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { type ListPetsFilter, NAME_LENGTH_MAX } from './contract.ts'
import { type PetListParameters, petListQuery, petsByIdsQuery } from './list-queries.ts'
import {
  findNewestPetPage,
  findNewestPetPageByStatus,
  findPetPage,
  findPetPageByStatus,
  type FoundPage,
  pageOf,
} from './queries.ts'
import type { PetOrder } from './status.ts'

/** One page of the animals that the filter leaves, in the order that it asks for. */
export function findPets(db: Db, tenant: Tenant, page: PageRequest<ListPetsFilter>): MaybePromise<JsonPage> {
  const { limit, filter } = page
  const { status, categoryId, id, q } = filter
  const order = orderOf(filter)
  if (order !== 'name' && categoryId === undefined && id === undefined) {
    const { projectId, environment } = tenant
    const { after } = positionOf(page, order)
    const [all, ofStatus] = BY_ID[order]
    const found =
      status === undefined
        ? all(db, { projectId, environment, after, limit })
        : ofStatus(db, { projectId, environment, after, limit, status })
    return whenThere(found, ([page]) => pageOf(page as FoundPage, limit))
  }
  const list: PetListParameters = {
    ...tenant,
    ...nameRange(q ?? ''),
    ...positionOf(page, order),
    categoryId: categoryId ?? null,
    status: status ?? null,
    // One more than are shown: whether there is more.
    limit: limit + 1,
  }
  const found =
    id === undefined
      ? petListQuery(order, { byCategory: categoryId !== undefined, byStatus: status !== undefined })(db, list)
      : petsByIdsQuery(order)(db, { ...list, ids: `[${id.join()}]` })
  return whenThere(found, (rows) => pageOfRows(rows, limit))
}

const BY_ID = {
  oldest: [findPetPage, findPetPageByStatus],
  newest: [findNewestPetPage, findNewestPetPageByStatus],
} as const

/** Names that begin with a text lie together in the order of names only. */
function orderOf({ q, order }: ListPetsFilter): PetOrder {
  if (q === undefined) return order ?? 'oldest'
  if (order === undefined || order === 'name') return 'name'
  throw invalid('q lists animals in the order of their names: leave order out, or send order=name.')
}

const LAST_CHARACTER = '\u{10FFFF}'

/** Where the names that begin with a text begin and end, in the order of their characters. */
export function nameRange(q: string): { afterName: string; nameEnd: string } {
  // The databases compare names with A to Z in lower case, and everything else as it is.
  const begin = q.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return { afterName: begin, nameEnd: begin + LAST_CHARACTER.repeat(NAME_LENGTH_MAX + 1) }
}

function positionOf({ after, afterKey }: PageRequest<object>, order: PetOrder): { after: Int64; afterName?: string } {
  if (afterKey !== undefined) return { after, afterName: afterKey }
  return { after: after === 0 && order === 'newest' ? BEHIND_LAST : after }
}
