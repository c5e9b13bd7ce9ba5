import { planAbove, planName, RECORDS_MAX } from '../features/projects/plan-shares.ts'
import { findProjectById } from '../features/projects/queries.ts'
import type { Plan } from '../features/projects/tables.ts'
import { type RowLimit, RowRoom, type RowRoomNeeds } from '../platform/storage/rows/row-room.ts'

/** How many animals and orders each project has room for, by its plan. */
export function openRecordRooms({ storage, clock }: Pick<RowRoomNeeds, 'storage' | 'clock'>) {
  const needs = {
    storage,
    clock,
    limitOf: async (projectId: number) => limitOf((await findProjectById(storage.read, projectId))?.plan ?? 'free'),
  }
  return { pets: new RowRoom('pets', 'animals', needs), orders: new RowRoom('orders', 'orders', needs) }
}

function limitOf(plan: Plan): RowLimit {
  const above = planAbove(plan)
  const more = above && `${planName(above)} has room for ${RECORDS_MAX[above].toLocaleString('en')}`
  return {
    rows: RECORDS_MAX[plan],
    advice: more ? `Change the plan: ${more}.` : 'Ask the operator of this installation for another project.',
  }
}
