import { answerOnce, type IdempotentUse, type OnceOutcome } from '../../platform/http/idempotency.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { findPetForUpdate, holdPet } from '../pets/queries.ts'
import type { PetStatus } from '../pets/status.ts'
import { findOrderForUpdate, takeOrderTurn } from './queries.ts'
import { PET_STATUS_AFTER } from './status.ts'
import { type OrderRow, orderJson } from './view.ts'

export interface PlacedOrder {
  tenant: Tenant
  petId: Int64
  now: number
}

export type PlaceOutcome =
  | { kind: 'no-pet' }
  | { kind: 'not-available'; status: PetStatus }
  | { kind: 'placed'; order: OrderRow }

export const placeOrder = defineWrite('orders.place', place)

async function place(db: Db, { tenant, petId, now }: PlacedOrder, engine: Engine): Promise<PlaceOutcome> {
  await takeOrderTurn(db, engine, tenant)
  const pet = await findPetForUpdate(db, engine, { ...tenant, id: petId })
  if (!pet) return { kind: 'no-pet' }
  if (pet.status !== 'available') return { kind: 'not-available', status: pet.status }
  const id = await nextNumber(db, engine, 'orders')
  const order: OrderRow = { id, pet_id: petId, status: 'placed', placed_at: now, ended_at: null }
  await db
    .insertInto('orders')
    .values({ ...order, project_id: tenant.projectId, environment: tenant.environment })
    .execute()
  await holdPet(db, { ...tenant, id: petId }, { status: 'pending', heldBy: id, now })
  return { kind: 'placed', order }
}

/** Carries a refusal out of the transaction: nothing is kept under the key, so that a later try may succeed. */
class Refused extends Error {
  readonly outcome: PlaceOutcome
  constructor(outcome: PlaceOutcome) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

export const placeOrderOnce = defineWrite(
  'orders.placeOnce',
  async (
    db,
    { order, use }: { order: PlacedOrder; use: IdempotentUse },
    engine,
  ): Promise<OnceOutcome | { kind: 'refused'; outcome: PlaceOutcome }> => {
    try {
      return await answerOnce(db, engine, { tenant: order.tenant, use, now: order.now }, async () => {
        const outcome = await place(db, order, engine)
        // Only questions have been asked so far: leaving here undoes nothing.
        if (outcome.kind !== 'placed') throw new Refused(outcome)
        return orderJson(outcome.order)
      })
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', outcome: error.outcome }
      throw error
    }
  },
)

export type EndOutcome =
  | { kind: 'missing' }
  | { kind: 'ended-otherwise'; order: OrderRow }
  | { kind: 'ended'; order: OrderRow }

export const endOrder = defineWrite(
  'orders.end',
  async (
    db,
    input: { tenant: Tenant; id: Int64; status: keyof typeof PET_STATUS_AFTER; now: number },
    engine,
  ): Promise<EndOutcome> => {
    const { tenant, id, status, now } = input
    const order = await findOrderForUpdate(db, engine, tenant, id)
    if (!order) return { kind: 'missing' }
    if (order.status === status) return { kind: 'ended', order }
    if (order.status !== 'placed') return { kind: 'ended-otherwise', order }
    await db
      .updateTable('orders')
      .set({ status, ended_at: now })
      .where('project_id', '=', tenant.projectId)
      .where('environment', '=', tenant.environment)
      .where('id', '=', id)
      .where('status', '=', 'placed')
      .execute()
    await holdPet(db, { ...tenant, id: order.pet_id }, { status: PET_STATUS_AFTER[status], heldBy: null, now })
    return { kind: 'ended', order: { ...order, status, ended_at: now } }
  },
)
