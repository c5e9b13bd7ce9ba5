import type { Pet, PetPatch } from '../../../client/src/client.ts'
import { PET_STATUSES } from '../line/choices.ts'
import type { Values } from '../line/command.ts'
import { type Headers, presentFields, table } from '../line/fields.ts'
import { integerArgument } from '../remote/animals.ts'

const HEADERS: Headers<Pet> = { id: 'ID', name: 'NAME', categoryId: 'CATEGORY', status: 'STATUS' }

export const petTable = (pets: readonly Pet[]) => table(HEADERS, pets)

/** The name is an argument. */
export const newPetOptions = {
  category: { type: 'string', value: 'ID', required: true, help: 'the category it belongs to' },
  status: { type: 'string', choices: PET_STATUSES, help: 'its status (available)' },
} as const

export const petOptions = {
  name: { type: 'string', value: 'NAME', help: 'its new name' },
  category: { type: 'string', value: 'ID', help: 'its new category' },
  status: { type: 'string', choices: PET_STATUSES, help: 'its new status' },
} as const

/** What the options say of the animal. */
export function readPetOptions({ name, category, status }: Values<typeof petOptions>): PetPatch {
  const categoryId = category === undefined ? undefined : integerArgument('--category', category)
  return presentFields<PetPatch>({ name, categoryId, status })
}
