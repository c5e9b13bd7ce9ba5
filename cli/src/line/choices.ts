import type {
  Environment,
  OrderFilter,
  OrderStatus,
  PetFilter,
  PetStatus,
  Plan,
  Role,
} from '../../../client/src/platform/platform.ts'

export const ENVIRONMENTS = everyOne<Environment>({ production: true, staging: true })
export const ORDER_STATUSES = everyOne<OrderStatus>({ placed: true, completed: true, cancelled: true })
export const ORDER_ORDERS = everyOne<NonNullable<OrderFilter['order']>>({ oldest: true, newest: true })
export const PET_ORDERS = everyOne<NonNullable<PetFilter['order']>>({ oldest: true, newest: true, name: true })
export const PET_STATUSES = everyOne<PetStatus>({ available: true, pending: true, sold: true })
export const PLANS = everyOne<Plan>({ free: true, pro: true, enterprise: true })
export const ROLES = everyOne<Role>({ viewer: true, editor: true, owner: true })

/** These are not in the client's types: a test holds them against the service. */
export const FAULT_KINDS = [
  'servfail',
  'nxdomain',
  'refused',
  'drop',
  'delay',
  'truncate',
  'lame',
  'wrong-id',
  'garbage',
  'dnssec',
] as const
export const REDIRECT_STATUSES = ['301', '302', '307', '308'] as const

export const inWords = (choices: readonly string[]) => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** Every member of a union that only the compiler knows: one that is missing does not compile. */
function everyOne<Choice extends string>(all: Readonly<Record<Choice, true>>): readonly Choice[] {
  return Object.keys(all) as Choice[]
}
