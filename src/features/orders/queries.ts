import { sql } from 'kysely'
import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import { type BoundedCount, countSome } from '../../platform/storage/bounded-count.ts'
import { deleteSomeOf } from '../../platform/storage/delete-some.ts'
import { jsonPage, type PageParameters } from '../../platform/storage/json-page.ts'
import { prepare } from '../../platform/storage/prepared.ts'
import { unlikely } from '../../platform/storage/unlikely.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import type { ListOrdersFilter } from './contract.ts'
import type { OrderStatus } from './status.ts'
import { orders } from './tables.ts'

const pageOfAll = (newest: boolean) => (db: Db, page: PageParameters) =>
  jsonPage(db, page, { table: 'orders', json: orders.jsonText(db), newest })

export const findOrderPage = prepare('findOrderPage', pageOfAll(false))
export const findNewestOrderPage = prepare('findNewestOrderPage', pageOfAll(true))

const pageOfStatus = (newest: boolean) => (db: Db, page: PageParameters & { status: OrderStatus }) =>
  jsonPage(db, page, {
    table: 'orders',
    json: orders.jsonText(db),
    where: (order) => [unlikely(db, order('status', '=', page.status))],
    newest,
  })

export const findOrderPageByStatus = prepare('findOrderPageByStatus', pageOfStatus(false))
export const findNewestOrderPageByStatus = prepare('findNewestOrderPageByStatus', pageOfStatus(true))

interface OneOrder extends Record<string, unknown> {
  projectId: number
  environment: string
  id: Int64
}

export const findOrder = prepare('findOrder', (db, order: OneOrder) =>
  db
    .selectFrom('orders')
    .select(orders.jsonText(db).as('json'))
    .where('project_id', '=', order.projectId)
    .where('environment', '=', order.environment)
    .where('id', '=', order.id),
)

interface OrdersOfPet extends PageParameters {
  petId: Int64
  status: OrderStatus | null
}

const pageOfPet = (newest: boolean) => (db: Db, page: OrdersOfPet) =>
  jsonPage(db, page, {
    table: 'orders',
    json: orders.jsonText(db),
    where: (order) => [unlikely(db, order('pet_id', '=', page.petId)), orAny('status', page.status)],
    newest,
  })

export const findOrderPageOfPet = prepare('findOrderPageOfPet', pageOfPet(false))
export const findNewestOrderPageOfPet = prepare('findNewestOrderPageOfPet', pageOfPet(true))

interface ListOfOne extends PageParameters {
  id: Int64
  status: OrderStatus | null
  petId: Int64 | null
}

/** A list of one, or of none where it is not what else was asked for. */
export const findOrderAsPage = prepare('findOrderAsPage', (db, page: ListOfOne) =>
  jsonPage(db, page, {
    table: 'orders',
    json: orders.jsonText(db),
    where: (order) => [order('id', '=', page.id), orAny('status', page.status), orAny('pet_id', page.petId, 'bigint')],
  }),
)

const orAny = (column: string, value: unknown, type = 'text') =>
  sql<boolean>`(cast(${value} as ${sql.raw(type)}) is null or ${sql.ref(column)} = ${value})`

export async function findOrderForUpdate(db: Db, engine: Engine, tenant: Tenant, id: Int64) {
  const query = db
    .selectFrom('orders')
    .select(orders.columns)
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
    .where('id', '=', id)
  return (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

export function countOpenOrders(db: Db, { projectId, environment }: Tenant): Promise<BoundedCount> {
  const orders = db.selectFrom('orders').select('id').where('project_id', '=', projectId)
  return countSome(db, orders.where('environment', '=', environment).where('status', '=', 'placed'))
}

/** How many orders a filter leaves. */
export function countFoundOrders(db: Db, tenant: Tenant, filter: ListOrdersFilter): Promise<BoundedCount> {
  const { id, petId, status } = filter
  let found = db
    .selectFrom('orders')
    .select('id')
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
  if (id !== undefined) found = found.where('id', '=', id)
  // As in the list: SQLite would look at every order for a status of one animal's.
  if (petId !== undefined) found = found.where((order) => unlikely(db, order('pet_id', '=', petId)))
  if (status !== undefined) found = found.where('status', '=', status)
  return countSome(db, found)
}

export const deleteSomeOrders = deleteSomeOf('orders', ['project_id', 'environment', 'id'])
