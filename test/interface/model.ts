/** The shop as a person would describe it: plain lists and the rules of section 7. */
export interface ModelPet {
  id: number
  name: string
  categoryId: number | bigint
  status: string
  heldBy: number | undefined
}

export interface ModelOrder {
  id: number
  petId: number
  status: string
}

interface ModelWalk {
  limit: number
  status: string | undefined
  lastId: number
  /** Where the next page is, as the service said. */
  next: string
}

export interface Model {
  pets: ModelPet[]
  orders: ModelOrder[]
  /** What was answered first under a key, and to what. */
  answered: Map<string, { body: string; text: string }>
  revoked: Set<number>
  keys: number
  walks: ModelWalk[]
}

export const emptyModel = (): Model => ({
  pets: [],
  orders: [],
  answered: new Map(),
  revoked: new Set(),
  keys: 0,
  walks: [],
})

const NEXT: Record<string, string[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: ['available'],
}

export interface Change {
  name?: string
  categoryId?: number | bigint
  status?: string
}

/** Applies a change if the rules allow it, and says whether they did. */
export function change(pet: ModelPet, { name, categoryId, status = pet.status }: Change): boolean {
  const moves = status !== pet.status
  if (moves && (pet.heldBy !== undefined || !NEXT[pet.status]?.includes(status))) return false
  Object.assign(pet, { name: name ?? pet.name, categoryId: categoryId ?? pet.categoryId, status })
  return true
}

export function endOrder(model: Model, order: ModelOrder, status: string): boolean {
  if (order.status !== 'placed') return order.status === status
  order.status = status
  const pet = model.pets.find((pet) => pet.id === order.petId) as ModelPet
  pet.status = status === 'completed' ? 'sold' : 'available'
  pet.heldBy = undefined
  return true
}

/** What the interface shows of the animals after an id. */
export function shown(model: Model, status: string | undefined, after = 0) {
  return model.pets
    .filter((pet) => pet.id > after && (status === undefined || pet.status === status))
    .map(({ id, name, categoryId, status }) => ({ id, name, categoryId, status }))
}
