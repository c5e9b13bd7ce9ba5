import { audited, auditTrail } from '../features/audit/audited.ts'
import { endOrder, placeOrder } from '../features/orders/writes.ts'
import { addPet, updatePet } from '../features/pets/writes.ts'

/** Notes that do not stand beside their writes yet. */
const auditedWrites = [
  audited(addPet, ({ tenant: { projectId, environment }, fields: { name } }, id) => ({
    verb: 'pet.add',
    subject: String(id),
    projectId,
    details: { environment, name },
  })),
  audited(updatePet, ({ tenant: { projectId, environment }, id, patch }, outcome) => {
    if (outcome.kind !== 'updated') return undefined
    const details = { environment, changed: Object.keys(patch).join(' ') }
    return { verb: 'pet.change', subject: String(id), projectId, details }
  }),
  audited(placeOrder, ({ tenant: { projectId, environment }, fields: { petId } }, outcome) => {
    if (outcome.kind !== 'placed') return undefined
    const details = { environment, petId: String(petId) }
    return { verb: 'order.place', subject: String(outcome.order.id), projectId, details }
  }),
  audited(endOrder, ({ tenant: { projectId, environment }, id, patch: { status } }, outcome) =>
    outcome.kind === 'ended'
      ? { verb: 'order.end', subject: String(id), projectId, details: { environment, status } }
      : undefined,
  ),
]

/** A storage for one actor: whatever is written through it leaves its audit entry in the same transaction. */
export const storageOf = auditTrail(auditedWrites)
