import { planAbove, planName, RECORDS_MAX } from '../features/projects/plan-shares.ts'
import { findProjectById } from '../features/projects/queries.ts'
import type { Plan } from '../features/projects/tables.ts'
import { type RowLimit, RowRoom, type RowRoomNeeds } from '../platform/storage/rows/row-room.ts'

/** How many animals and orders each project has room for, by its plan. */
export function openRecordRooms({ storage, clock }: Pick<RowRoomNeeds, 'storage' | 'clock'>) {
  const needs = (first: string) => ({
    storage,
    clock,
    async limitOf(projectId: number) {
      return limitOf((await findProjectById(storage.read, projectId))?.plan ?? 'free', first)
    },
  })
  return {
    pets: new RowRoom('pets', 'animals', needs('Delete some, which makes room within a minute, or ')),
    // An order is a record of what was sold, and stays.
    orders: new RowRoom('orders', 'orders', needs('')),
  }
}

function limitOf(plan: Plan, first: string): RowLimit {
  const above = planAbove(plan)
  const more = above
    ? `change the plan: ${planName(above)} has room for ${RECORDS_MAX[above].toLocaleString('en')}.`
    : 'ask the operator of this installation for another project.'
  const advice = first + more
  return { rows: RECORDS_MAX[plan], advice: advice.charAt(0).toUpperCase() + advice.slice(1) }
}
