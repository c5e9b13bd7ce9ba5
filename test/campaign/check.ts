import type { Animal } from '../faults/writers.ts'
import { registerViolations } from './atomic-register.ts'
import type { History, Hold, Sight } from './history.ts'

export interface Verdict {
  readonly acknowledged: number
  readonly unanswered: number
  readonly renames: number
  readonly orders: number
  readonly sights: number
  readonly lost: number
  readonly twice: number
  readonly violations: readonly string[]
  readonly revocations: number
  /** How long after its revocation had been acknowledged a key was last sent and accepted. */
  readonly revokedYetAcceptedMs: number
}

export interface Order {
  readonly id: bigint
  readonly petId: bigint
  readonly status: string
}

/** What a tenant has when all faults are over. */
export interface AtLast {
  readonly animals: readonly Animal[]
  readonly orders: readonly Order[]
}

/**
 * Judges a history against what the contract promises, knowing nothing of how the service works: nothing
 * acknowledged is lost, nothing is there twice or by itself, each animal's name behaves like one place in memory,
 * an animal is held by one order at a time, an order is placed once, and a key ends with its revocation.
 */
export function judge(history: History, atLast: ReadonlyMap<string, AtLast>): Verdict {
  const violations = [...history.violations]
  let lost = 0
  let twice = 0
  for (const [tenant, { animals, orders }] of atLast) {
    const creates = history.creates.filter((create) => create.tenant === tenant)
    const renames = history.renames.filter((rename) => rename.tenant === tenant)
    const byId = new Map(animals.map((animal) => [animal.id, animal]))
    const createdAs = new Map(creates.map((create) => [create.name, create]))
    const renamedTo = new Map(renames.map((rename) => [rename.name, rename.petId]))
    const names = new Set<string>()
    for (const { name, id } of animals) {
      if (names.has(name)) twice++
      names.add(name)
      if (!createdAs.has(name) && renamedTo.get(name) !== id)
        violations.push(`animal ${id} is there by itself: ${name}`)
    }
    for (const { id, name } of creates.filter((create) => create.id !== undefined && !byId.has(create.id))) {
      lost++
      violations.push(`animal ${id} (${name}) was acknowledged and is gone`)
    }
    for (const { name } of creates.filter((create) => create.refused && names.has(create.name)))
      violations.push(`"${name}" was refused ("nothing was changed") and is there`)
    violations.push(...nameViolations(history, tenant, animals))
    violations.push(...holdViolations(history, tenant, animals))
    violations.push(...orderViolations(history, tenant, orders))
  }
  if (twice > 0) violations.push(`${twice} animals are there twice`)
  return {
    acknowledged: history.creates.filter(({ id }) => id !== undefined).length,
    unanswered: history.creates.filter(({ id }) => id === undefined).length,
    renames: history.renames.filter(({ end }) => end !== Infinity).length,
    orders: history.holds.length,
    sights: history.sights.length,
    lost,
    twice,
    ...keyVerdict(history, violations),
    violations,
  }
}

function nameViolations({ creates, renames, sights }: History, tenant: string, animals: readonly Animal[]): string[] {
  const ofTenant = <Item extends { tenant: string }>(items: readonly Item[]) =>
    items.filter((item) => item.tenant === tenant)
  const renamesOf = Map.groupBy(ofTenant(renames), ({ petId }) => petId)
  const sightsOf = Map.groupBy(ofTenant(sights), ({ petId }) => petId)
  const createOf = new Map(ofTenant(creates).map((create) => [create.name, create]))
  const createOfId = new Map(ofTenant(creates).map((create) => [create.id, create]))
  return animals.flatMap(({ id, name }) => {
    const renamed = renamesOf.get(id) ?? []
    const seen = [...(sightsOf.get(id) ?? []), { name, start: Infinity, end: Infinity }]
    // Whoever added it: known by its id, or, unanswered, by a name that was seen and is nobody's rename.
    const created =
      createOfId.get(id) ??
      createOf.get(seen.find((sight) => !renamed.some((rename) => rename.name === sight.name))?.name ?? '')
    const writes = [...renamed.filter((rename) => !rename.refused), ...(created ? [created] : [])]
    if (!created) return writes.length === 0 ? [] : [`animal ${id} was renamed and its first name is unknown`]
    const values = writes.map(({ name, start, end }) => ({ value: name, start, end }))
    const reads = seen.map(({ name, start, end }) => ({ value: name, start, end }))
    return registerViolations(values, reads).map((violation) => `animal ${id} of ${tenant}: ${violation}`)
  })
}

/** An animal is certainly held from the moment at which its order was answered until somebody began to end it. */
function holdViolations({ holds, sights }: History, tenant: string, animals: readonly Animal[]): string[] {
  const sightsOf = Map.groupBy(
    sights.filter((sight) => sight.tenant === tenant),
    ({ petId }) => petId,
  )
  const holdsOf = Map.groupBy(
    holds.filter((hold) => hold.tenant === tenant),
    ({ petId }) => petId,
  )
  return animals.flatMap(({ id, status }) => {
    const held = (holdsOf.get(id) ?? []).toSorted((one, other) => one.placed.end - other.placed.end)
    const both = held.slice(1).filter((hold, index) => hold.placed.end < certainUntil(held[index] as Hold))
    const sold = held.find(({ ended }) => ended?.status === 'completed' && ended.end !== Infinity)
    return [
      ...both.map(({ orderId }) => `animal ${id} was held by order ${orderId} and another one at once`),
      ...(sightsOf.get(id) ?? []).flatMap((sight) => wrongStatus(sight, held)),
      ...(sold && status !== 'sold' ? [`animal ${id} was sold by order ${sold.orderId} and is ${status}`] : []),
    ]
  })
}

/** What was placed is there as it was ended; what nobody was told of was sent by somebody who got no answer. */
function orderViolations({ holds, unansweredOrders }: History, tenant: string, orders: readonly Order[]): string[] {
  const placed = new Map(holds.filter((hold) => hold.tenant === tenant).map((hold) => [hold.orderId, hold]))
  const byId = new Map(orders.map((order) => [order.id, order]))
  const unanswered = Map.groupBy(
    unansweredOrders.filter((order) => order.tenant === tenant),
    ({ petId }) => petId,
  )
  const untold = Map.groupBy(
    orders.filter(({ id }) => !placed.has(id)),
    ({ petId }) => petId,
  )
  const gone = [...placed.keys()].filter((id) => !byId.has(id))
  const reopened = [...placed.values()].filter(({ orderId, ended }) => {
    const status = byId.get(orderId)?.status
    return ended !== undefined && ended.end !== Infinity && status !== undefined && status !== ended.status
  })
  return [
    ...gone.map((id) => `order ${id} was acknowledged and is gone`),
    ...reopened.map(({ orderId }) => `order ${orderId} was ended and is ${byId.get(orderId)?.status}`),
    ...[...untold]
      .filter(([petId, made]) => made.length > (unanswered.get(petId)?.length ?? 0))
      .map(([petId]) => `animal ${petId} was ordered once more than anybody asked for`),
  ]
}

const certainUntil = (hold: Hold) => hold.ended?.start ?? Infinity

function wrongStatus({ petId, status, start, end }: Sight, holds: readonly Hold[]): string[] {
  const hold = holds.find((hold) => start > hold.placed.end && end < certainUntil(hold))
  return hold && status !== 'pending' ? [`animal ${petId} was shown ${status} while order ${hold.orderId} held it`] : []
}

function keyVerdict({ keyUses, revocations }: History, violations: string[]) {
  let revokedYetAcceptedMs = 0
  for (const { key, accepted, start, end } of keyUses) {
    const revocation = revocations.get(key)
    if (!accepted && (!revocation || end < revocation.start))
      violations.push(`key ${key} was refused before it was revoked`)
    if (accepted && revocation) revokedYetAcceptedMs = Math.max(revokedYetAcceptedMs, start - revocation.end)
  }
  return { revocations: revocations.size, revokedYetAcceptedMs }
}
