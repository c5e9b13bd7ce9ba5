import type { Clock } from '../../platform/clock.ts'
import { changedMeanwhile, conflict, notFound, type PetstoreError } from '../../platform/errors.ts'
import type { Cursors } from '../../platform/http/lists/cursor.ts'
import { etagOf } from '../../platform/http/etag.ts'
import {
  idempotentUse,
  idOfAnswer,
  type OnceOutcome,
  readIdempotencyKey,
  RunningKeys,
} from '../../platform/http/idempotency.ts'
import { type Answer, type Call, type Operation, written } from '../../platform/http/operation.ts'
import { pageAnswer, pageReader, type PageRequest, requireBody } from '../../platform/http/lists/page.ts'
import { validator } from '../../platform/http/validator.ts'
import { type Int64, parseInt64 } from '../../platform/int64.ts'
import { whenThere } from '../../platform/maybe-promise.ts'
import { beginningOf, declared } from '../../platform/schema.ts'
import { BEHIND_LAST, type JsonPage } from '../../platform/storage/json-page.ts'
import type { RowRoom } from '../../platform/storage/rows/row-room.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { type Tenant, tenantOf } from '../../platform/tenant.ts'
import {
  createOrderContract,
  getOrderContract,
  type ListOrdersFilter,
  ListOrdersQuery,
  listOrdersContract,
  NewOrder,
  OrderPatch,
  updateOrderContract,
} from './contract.ts'
import {
  findNewestOrderPage,
  findNewestOrderPageByStatus,
  findNewestOrderPageOfPet,
  findOrder,
  findOrderAsPage,
  findOrderPage,
  findOrderPageByStatus,
  findOrderPageOfPet,
} from './queries.ts'
import { orders } from './tables.ts'
import { endOrder, type PlacedOrder, type PlaceRefusal, placeOrder, placeOrderOnce } from './writes.ts'

export interface OrdersNeeds {
  storage: AuditedStorage
  clock: Clock
  rooms: { orders: Pick<RowRoom, 'take'> }
  cursors: Cursors
}

/** The operations on orders, ready to be served. */
export function orderOperations(needs: OrdersNeeds): Operation[] {
  return [listOrders(needs), createOrder(needs), getOrder(needs), updateOrder(needs)]
}

function listOrders({ storage, cursors }: OrdersNeeds): Operation {
  const readPage = pageReader(ListOrdersQuery, cursors)
  return {
    contract: listOrdersContract,
    reads: 'orders',
    handle(call) {
      const tenant = tenantOf(call.caller)
      const page = readPage(call.url, `orders ${tenant.projectId} ${tenant.environment}`)
      const found = findOrders(storage.read, tenant, page)
      const url = `${call.baseUrl}/store/orders`
      return whenThere(found, ([json]) => pageAnswer(url, json as JsonPage, page, cursors))
    },
  }
}

function findOrders(db: Db, tenant: Tenant, { after: seen, limit, filter }: PageRequest<ListOrdersFilter>) {
  const { id, petId, status, order = 'oldest' } = filter
  if (id !== undefined) {
    return findOrderAsPage(db, { ...tenant, id, petId: petId ?? null, status: status ?? null, after: seen, limit })
  }
  const range = { ...tenant, after: seen === 0 && order === 'newest' ? BEHIND_LAST : seen, limit }
  const [all, ofStatus, ofPet] = IN_ORDER[order]
  if (petId !== undefined) return ofPet(db, { ...range, petId, status: status ?? null })
  return status === undefined ? all(db, range) : ofStatus(db, { ...range, status })
}

const IN_ORDER = {
  oldest: [findOrderPage, findOrderPageByStatus, findOrderPageOfPet],
  newest: [findNewestOrderPage, findNewestOrderPageByStatus, findNewestOrderPageOfPet],
} as const

function createOrder({ storage, clock, rooms }: OrdersNeeds): Operation {
  const validate = validator(NewOrder, 'The order was not placed')
  const running = new RunningKeys()
  return {
    contract: createOrderContract,
    async handle(call) {
      const fields = declared(NewOrder, validate(requireBody(call.body)))
      const idempotencyKey = readIdempotencyKey(call.headers['idempotency-key'])
      const tenant = tenantOf(call.caller)
      const order: PlacedOrder = { tenant, fields, now: clock.now() }
      const full = await rooms.orders.take(tenant.projectId)
      if (idempotencyKey === undefined) {
        if (full) throw full
        const outcome = await storage.write(placeOrder, order)
        if (outcome.kind !== 'placed') throw refusal(outcome)
        return created(call, outcome.order.id, orders.toJson(outcome.order))
      }
      const use = idempotentUse(idempotencyKey, 'createOrder', fields, order.now)
      const { answer, replayed } = await running.once(tenant, use, async (): Promise<OnceOutcome> => {
        const outcome = await storage.write(placeOrderOnce, { order, use, isFull: full !== undefined })
        if (outcome.kind === 'full') throw full
        if (outcome.kind === 'no-pet' || outcome.kind === 'not-available') throw refusal(outcome)
        return outcome
      })
      return created(call, idOfAnswer(answer), answer, replayed ? ['Idempotency-Replayed', 'true'] : [])
    },
  }
}

function getOrder({ storage }: OrdersNeeds): Operation {
  return {
    contract: getOrderContract,
    reads: 'orders',
    handle(call) {
      const id = readOrderId(call)
      return whenThere(findOrder(storage.read, { ...tenantOf(call.caller), id }), ([found]): Answer => {
        if (!found) throw noSuchOrder(String(id))
        return { status: 200, body: found.json, etag: etagOf(found.json) }
      })
    },
  }
}

function updateOrder({ storage, clock }: OrdersNeeds): Operation {
  const validate = validator(OrderPatch, 'The order was not changed')
  return {
    contract: updateOrderContract,
    async handle(call) {
      const id = readOrderId(call)
      const patch = declared(OrderPatch, validate(requireBody(call.body)))
      const tenant = tenantOf(call.caller)
      const ifMatch = call.headers['if-match']
      const outcome = await storage.write(endOrder, { tenant, id, patch, ifMatch, now: clock.now() })
      if (outcome.kind === 'missing') throw noSuchOrder(String(id))
      if (outcome.kind === 'changed') throw changedMeanwhile('The order')
      if (outcome.kind === 'ended-otherwise') {
        throw conflict(`Order ${id} is ${outcome.order.status} and stays so: place a new order.`)
      }
      return written(200, orders.toJson(outcome.order))
    },
  }
}

function refusal(outcome: PlaceRefusal): PetstoreError {
  if (outcome.kind === 'no-pet')
    return notFound('There is no such animal here: petId must name one of this environment.')
  return conflict(`This animal is ${outcome.status}: only an available one can be ordered.`)
}

const created = (call: Call, id: Int64, json: string, headers: readonly string[] = []): Answer =>
  written(201, json, ['Location', `${call.baseUrl}/store/orders/${id}`, ...headers])

function readOrderId(call: Call): Int64 {
  const text = call.parameters.orderId ?? ''
  const id = parseInt64(text)
  if (id === undefined) throw noSuchOrder(text)
  return id
}

const noSuchOrder = (id: string) => notFound(`There is no order ${beginningOf(id, 40)} here.`)
