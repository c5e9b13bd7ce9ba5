import type { OrderFilter, PetFilter } from '../../pages.ts'
import type { NewOrder, NewPet, Order, OrderPatch, Pet, PetPatch } from '../../types.ts'
import type { BoundedCount, SentImport } from '../projects.ts'
import type { PageQuery } from './queries.ts'

/** The animals and orders of a project, for people who are signed in. */
export interface AnimalRoutes {
  'GET /projects/{project}/environments/{environment}/pets': {
    query: PageQuery & PetFilter
    answer: Pet[]
  }
  'POST /projects/{project}/environments/{environment}/pets': { body: NewPet; answer: Pet }
  'GET /projects/{project}/environments/{environment}/pets/{petId}': { answer: Pet }
  'PATCH /projects/{project}/environments/{environment}/pets/{petId}': { body: PetPatch; answer: Pet }
  'DELETE /projects/{project}/environments/{environment}/pets/{petId}': { answer: void }
  'GET /projects/{project}/environments/{environment}/counts/pets': { query: PetFilter; answer: BoundedCount }
  'GET /projects/{project}/environments/{environment}/counts/orders': { query: OrderFilter; answer: BoundedCount }
  'GET /projects/{project}/environments/{environment}/imports/{sha256}': { answer: SentImport }
  'POST /projects/{project}/environments/{environment}/imports/{sha256}': {
    body: { after: number; through: number; animals: NewPet[]; last: boolean }
    answer: SentImport
  }
  'GET /projects/{project}/environments/{environment}/store/orders': {
    query: PageQuery & OrderFilter
    answer: Order[]
  }
  'POST /projects/{project}/environments/{environment}/store/orders': { body: NewOrder; answer: Order }
  'GET /projects/{project}/environments/{environment}/store/orders/{orderId}': { answer: Order }
  'PATCH /projects/{project}/environments/{environment}/store/orders/{orderId}': { body: OrderPatch; answer: Order }
}
