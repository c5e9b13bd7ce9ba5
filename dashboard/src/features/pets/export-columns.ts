import type { Pet } from '../../../../client/src/types.ts'

/** In the order of the contract: a field left out does not compile. */
const FIELDS: Record<keyof Pet, true> = { id: true, name: true, categoryId: true, status: true }

export const PET_COLUMNS = Object.keys(FIELDS) as (keyof Pet)[]
