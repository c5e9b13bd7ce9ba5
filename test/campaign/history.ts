/**
 * What the clients of a campaign did and saw. Every moment is of one clock, that of the process that asks, so that
 * "before" means before for everybody. What was not answered may have happened at any time after it was sent.
 */
export interface Span {
  readonly start: number
  /** Infinity when the outcome never became known. */
  readonly end: number
}

interface Create extends Span {
  readonly tenant: string
  readonly name: string
  readonly id: bigint | undefined
  /** The service said that nothing was changed, and never anything else. */
  readonly refused: boolean
}

interface Rename extends Span {
  readonly tenant: string
  readonly petId: bigint
  readonly name: string
  readonly refused: boolean
}

/** One animal as a read or a page showed it. */
export interface Sight extends Span {
  readonly tenant: string
  readonly petId: bigint
  readonly name: string
  readonly status: string
}

/** An order that was placed: the animal is held from then until somebody begins to end it. */
export interface Hold {
  readonly petId: bigint
  readonly tenant: string
  readonly orderId: bigint
  readonly placed: Span
  ended: (Span & { readonly status: 'completed' | 'cancelled' }) | undefined
}

/** An order that was sent and never answered: it may have been placed, once. */
interface UnansweredOrder {
  readonly tenant: string
  readonly petId: bigint
}

interface KeyUse extends Span {
  readonly key: number
  readonly accepted: boolean
}

export interface History {
  readonly creates: Create[]
  readonly renames: Rename[]
  readonly sights: Sight[]
  readonly holds: Hold[]
  readonly unansweredOrders: UnansweredOrder[]
  readonly keyUses: KeyUse[]
  readonly revocations: Map<number, Span>
  /** Moments at which an instance had answered 201, by instance. */
  readonly served: number[][]
  /** What no fault excuses: a wrong status, an answer out of the contract, a cursor that skips. */
  readonly violations: string[]
}

export const emptyHistory = (instances: number): History => ({
  creates: [],
  renames: [],
  sights: [],
  holds: [],
  unansweredOrders: [],
  keyUses: [],
  revocations: new Map(),
  served: Array.from({ length: instances }, () => []),
  violations: [],
})
