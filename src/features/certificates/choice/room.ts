import type { Db } from '../../../platform/storage/tables.ts'
import type { BudgetAnswer, BudgetRequest } from '../budget/budget.ts'
import type { CaLimits } from '../budget/limits.ts'
import { budgetFor } from '../budget/meters.ts'
import type { Authority } from './authority.ts'

interface Wish {
  request: BudgetRequest
  replacesPem: string | undefined
}

/** An authority whose budget leaves no room now. */
export interface NoRoom {
  authority: Authority
  limits: CaLimits
  refusal: Extract<BudgetAnswer, { allowed: false }>
}

type Room = ({ authority: Authority } & Wish) | NoRoom

/** What an order would meet at each of these authorities. */
export function roomsFor(
  db: Db,
  authorities: readonly Authority[],
  wishAt: (issuer: string) => Wish,
  now: number,
): Promise<Room[]> {
  return Promise.all(
    authorities.map(async (authority): Promise<Room> => {
      const { issuer, limits } = authority
      const wish = wishAt(issuer.id)
      const answer = await budgetFor(db, issuer.id, limits, wish.request, now)
      return answer.allowed || !limits ? { authority, ...wish } : { authority, limits, refusal: answer }
    }),
  )
}

/** Of several without room, the one that has some again first. */
export function firstToOpen(rooms: readonly Room[]): NoRoom {
  const full = rooms.filter((room) => 'refusal' in room)
  return full.reduce((first, each) => (each.refusal.at < first.refusal.at ? each : first))
}
