/**
 * available ──► pending ──► sold
 *     ▲  │         │  ▲       │
 *     │  └─────────┼──┼──► sold
 *     └────────────┘  (a return) sold ──► available
 */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof PET_STATUSES)[number]

const TRANSITIONS: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: ['available'],
}

/** Staying as it is changes nothing and is always allowed: a repeated request must not fail. */
export function mayBecome(from: PetStatus, to: PetStatus): boolean {
  return from === to || TRANSITIONS[from].includes(to)
}

export const allowedFrom = (from: PetStatus) => TRANSITIONS[from]

/** What lists can be sorted by. */
export const PET_ORDERS = ['oldest', 'newest', 'name'] as const
export type PetOrder = (typeof PET_ORDERS)[number]
