import type { Pet } from '../../../client/src/client.ts'

export const PET_COLUMNS = ['ID', 'NAME', 'CATEGORY', 'STATUS']

export const petRow = (pet: Pet) => [String(pet.id), pet.name, String(pet.categoryId), pet.status]
