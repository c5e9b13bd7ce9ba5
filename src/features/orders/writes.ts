import { iso } from '../../platform/iso-date.ts'
import { answerOnce, idOfAnswer, isNew, type OnceOutcome } from '../../platform/http/idempotency.ts'
import { etagOf, isMatch } from '../../platform/http/etag.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import type { AuditNote } from '../../platform/storage/audit-note.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { findPetForUpdate, holdPet } from '../pets/queries.ts'
import type { PetStatus } from '../pets/status.ts'
import type { NoRoom, OnceInput } from '../pets/writes.ts'
import type { NewOrder, OrderPatch } from './contract.ts'
import { findOrderForUpdate } from './queries.ts'
import { PET_STATUS_AFTER } from './status.ts'
import { numberedOrders, type OrderRow, orders } from './tables.ts'

export interface PlacedOrder {
  tenant: Tenant
  fields: NewOrder
  now: number
}

export type PlaceRefusal = { kind: 'no-pet' } | { kind: 'not-available'; status: PetStatus }

export const placeOrder = defineWrite('orders.place', place, {
  note: (order, outcome) => (outcome.kind === 'placed' ? noteOfOrder(order, outcome.order.id) : undefined),
})

const noteOfOrder = ({ tenant: { projectId, environment }, fields: { petId } }: PlacedOrder, id: Int64): AuditNote => ({
  verb: 'order.place',
  subject: String(id),
  projectId,
  details: { environment, petId: String(petId) },
})

async function place(
  db: Db,
  { tenant, fields, now }: PlacedOrder,
  engine: Engine,
): Promise<PlaceRefusal | { kind: 'placed'; order: OrderRow }> {
  const pet = await findPetForUpdate(db, engine, { ...tenant, id: fields.petId })
  if (!pet) return { kind: 'no-pet' }
  if (pet.status !== 'available') return { kind: 'not-available', status: pet.status }
  const { id: _, ...row } = orders.toRow({ id: 0, ...fields, status: 'placed', placedAt: iso(now) })
  const { projectId: project_id, environment } = tenant
  const [id] = (await numberedOrders.insert(db, engine, [{ project_id, environment, ...row }])) as [number]
  await holdPet(db, { ...tenant, id: fields.petId }, { status: 'pending', heldBy: id, now })
  return { kind: 'placed', order: { id, ...row } }
}

export const placeOrderOnce = defineWrite(
  'orders.placeOnce',
  (
    db,
    { order, use, isFull }: { order: PlacedOrder } & OnceInput,
    engine,
  ): Promise<OnceOutcome | PlaceRefusal | NoRoom> =>
    answerOnce(
      db,
      engine,
      { tenant: order.tenant, use, now: order.now },
      async (): Promise<string | PlaceRefusal | NoRoom> => {
        if (isFull) return { kind: 'full' }
        const outcome = await place(db, order, engine)
        return outcome.kind === 'placed' ? orders.toJson(outcome.order) : outcome
      },
    ),
  { note: ({ order }, outcome) => (isNew(outcome) ? noteOfOrder(order, idOfAnswer(outcome.answer)) : undefined) },
)

interface OrderEnd {
  tenant: Tenant
  id: Int64
  patch: OrderPatch
  /** Nothing is done unless it names the order as it is. */
  ifMatch?: string | undefined
  now: number
}

export type EndOutcome =
  | { kind: 'missing' }
  | { kind: 'changed' }
  | { kind: 'ended-otherwise'; order: OrderRow }
  | { kind: 'unchanged'; order: OrderRow }
  | { kind: 'ended'; order: OrderRow }

export const endOrder = defineWrite(
  'orders.end',
  async (db, input: OrderEnd, engine): Promise<EndOutcome> => {
    const { tenant, id, patch, ifMatch, now } = input
    const order = await findOrderForUpdate(db, engine, tenant, id)
    if (!order) return { kind: 'missing' }
    if (!isMatch(ifMatch, etagOf(orders.toJson(order)))) return { kind: 'changed' }
    if (order.status === patch.status) return { kind: 'unchanged', order }
    if (order.status !== 'placed') return { kind: 'ended-otherwise', order }
    const changes = { ...orders.toChanges(patch), ended_at: now }
    await db
      .updateTable('orders')
      .set(changes)
      .where('project_id', '=', tenant.projectId)
      .where('environment', '=', tenant.environment)
      .where('id', '=', id)
      .where('status', '=', 'placed')
      .execute()
    await holdPet(db, { ...tenant, id: order.pet_id }, { status: PET_STATUS_AFTER[patch.status], heldBy: null, now })
    return { kind: 'ended', order: { ...order, ...changes } }
  },
  {
    note: ({ tenant: { projectId, environment }, id, patch: { status } }, { kind }) =>
      kind === 'ended'
        ? { verb: 'order.end', subject: String(id), projectId, details: { environment, status } }
        : undefined,
  },
)
