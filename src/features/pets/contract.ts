import type { OperationContract } from '../../platform/http/operation.ts'
import { pageParameters } from '../../platform/http/page.ts'
import { array, declared, int64, object, oneOf, optional, partial, type Static, text } from '../../platform/schema.ts'
import { PET_STATUSES } from './status.ts'

const PetStatusSchema = oneOf(PET_STATUSES, {
  $id: 'PetStatus',
  description: 'Availability status of an animal.',
})

/** What people tell of an animal. Everything else follows from it: see ARCHITECTURE.md, "Adding a field". */
const fields = {
  name: text({
    minLength: 1,
    maxLength: 255,
    format: 'printable',
    description: "The animal's name: not only white space, no control characters; kept exactly as sent.",
    rule: 'must be 1 to 255 characters, not only white space, without control characters',
  }),
  categoryId: int64({ description: 'Identifier of the category the animal belongs to.' }),
  status: PetStatusSchema,
}

export const PetFields = object(fields)
export type PetFields = Static<typeof PetFields>

export const NewPet = object(
  { ...fields, status: optional(PetStatusSchema) },
  { $id: 'NewPet', description: 'An animal to add. Without a status it is available.' },
)
export type NewPet = Static<typeof NewPet>

/** The whole animal that is meant, in the order of the contract. */
export const complete = (pet: NewPet): PetFields => declared(PetFields, { status: 'available', ...pet })

export const PetPatch = object(partial(fields), {
  $id: 'PetPatch',
  description: 'The fields to change; the others stay as they are.',
  minProperties: 1,
})
export type PetPatch = Static<typeof PetPatch>

export const Pet = object(
  { id: int64({ description: 'Unique identifier assigned on creation.' }), ...fields },
  { $id: 'Pet', description: 'An animal.' },
)

const Pets = array(Pet, { $id: 'Pets', description: 'Animals in ascending order of their ids.' })

export const ListPetsQuery = object({
  limit: pageParameters.limit,
  status: optional(PetStatusSchema),
  cursor: pageParameters.cursor,
})

const petId = int64({ description: 'Identifier of the animal.', examples: [1] })
const example = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }

export const listPetsContract: OperationContract = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  group: 'Pets',
  summary: 'List animals',
  description: 'Returns a paginated list of animals, oldest first. Follow `Link: <…>; rel="next"` for the next page.',
  stability: 'stable',
  scope: 'read',
  query: ListPetsQuery,
  success: {
    status: 200,
    description: 'One page of animals.',
    schema: Pets,
    example: [example],
    headers: ['Link', 'ETag'],
  },
  errors: ['invalid_request'],
}

export const createPetContract: OperationContract = {
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  group: 'Pets',
  summary: 'Add an animal',
  description: 'Adds an animal. When the answer is 201 the animal is on stable storage.',
  stability: 'stable',
  scope: 'write',
  body: { schema: NewPet, name: 'NewPet', example: { name: 'Rex', categoryId: 1, status: 'available' } },
  idempotent: true,
  success: { status: 201, description: 'The created animal.', schema: Pet, example, headers: ['Location'] },
  errors: ['invalid_request'],
}

export const getPetContract: OperationContract = {
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  group: 'Pets',
  summary: 'Fetch one animal',
  description: 'Returns one animal by its identifier.',
  stability: 'stable',
  scope: 'read',
  deprecation: {
    since: '2025-12-05T00:00:00Z',
    sunset: '2030-12-05',
    successor: '/pets',
    advice: 'Use GET /pets with the status filter instead.',
  },
  parameters: { petId },
  success: { status: 200, description: 'The animal.', schema: Pet, example, headers: ['ETag'] },
  errors: ['not_found', 'gone'],
}

export const updatePetContract: OperationContract = {
  id: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
  group: 'Pets',
  summary: 'Change an animal',
  description:
    'Changes name, category or status. Allowed changes of status: ' +
    'available → pending or sold; pending → available or sold; sold → available.',
  stability: 'beta',
  scope: 'write',
  parameters: { petId },
  body: { schema: PetPatch, name: 'PetPatch', example: { status: 'pending' } },
  success: {
    status: 200,
    description: 'The changed animal.',
    schema: Pet,
    example: { ...example, status: 'pending' },
    headers: [],
  },
  errors: ['invalid_request', 'not_found', 'conflict'],
}
