import type { OperationContract } from '../../platform/http/operation.ts'
import { pageParameters } from '../../platform/http/openapi/page-parameters.ts'
import {
  array,
  declared,
  int64,
  object,
  oneOf,
  optional,
  partial,
  PRINTABLE,
  type Static,
  text,
} from '../../platform/schema.ts'
import { PET_ORDERS, PET_STATUSES } from './status.ts'

const PetStatusSchema = oneOf(PET_STATUSES, {
  $id: 'PetStatus',
  description: 'Availability status of an animal.',
})

export const NAME_LENGTH_MAX = 255

/** What people tell of an animal. Everything else follows from it: see ARCHITECTURE.md, "Adding a field". */
const fields = {
  name: text({
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    pattern: PRINTABLE,
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

const Pets = array(Pet, {
  $id: 'Pets',
  description: 'Animals in ascending order of their ids, unless `order` or `q` asked for another.',
})

const IDS_MAX = 100

const betaFilters = {
  id: optional(
    array(int64(), {
      maxItems: IDS_MAX,
      description: 'Only the animals with these identifiers, up to 100: repeat the parameter for each.',
      rule: 'must be given 100 times at the most',
    }),
  ),
  categoryId: optional(int64({ description: 'Only the animals of this category.' })),
  q: optional(
    text({
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description:
        'Only the animals whose name begins with this text; A to Z and a to z are the same. ' +
        'The list is then in the order of names.',
      rule: 'must be 1 to 255 characters',
    }),
  ),
  order: optional(
    oneOf(PET_ORDERS, {
      description:
        '`oldest` and `newest` sort by id, `name` by name (A to Z and a to z are the same) and then by id. ' +
        'Without it: `oldest`, or `name` where `q` is given, which takes no other.',
    }),
  ),
}

export const ListPetsQuery = object({
  limit: pageParameters.limit,
  status: optional(PetStatusSchema),
  ...betaFilters,
  cursor: pageParameters.cursor,
})
export type ListPetsFilter = Omit<Static<typeof ListPetsQuery>, 'limit' | 'cursor'>

const petId = int64({ description: 'Identifier of the animal.', examples: [1] })
const example = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }

export const listPetsContract: OperationContract = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  group: 'Pets',
  summary: 'List animals',
  description:
    'Returns a paginated list of animals, oldest first unless `order` says otherwise. ' +
    'Follow `Link: <…>; rel="next"` for the next page.',
  stability: 'stable',
  scope: 'read',
  query: ListPetsQuery,
  betaQuery: Object.keys(betaFilters),
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
  success: { status: 201, description: 'The created animal.', schema: Pet, example, headers: ['Location', 'ETag'] },
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
  conditional: true,
  body: { schema: PetPatch, name: 'PetPatch', example: { status: 'pending' } },
  success: {
    status: 200,
    description: 'The changed animal.',
    schema: Pet,
    example: { ...example, status: 'pending' },
    headers: ['ETag'],
  },
  errors: ['invalid_request', 'not_found', 'conflict'],
}

export const deletePetContract: OperationContract = {
  id: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  group: 'Pets',
  summary: 'Delete an animal',
  description:
    'Deletes an animal; its identifier is never given again. While an order holds it, complete or cancel the order ' +
    'first. Ended orders keep the identifier of their animal.',
  stability: 'beta',
  scope: 'write',
  parameters: { petId },
  conditional: true,
  success: { status: 204, description: 'The animal is deleted.', headers: [] },
  errors: ['not_found', 'conflict'],
}
