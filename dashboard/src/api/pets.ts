import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Int64, NewPet, PetFilter, PetPatch } from '../../../client/src/platform/platform.ts'
import { firstPage } from './first-page.ts'
import { platform } from './platform.ts'
import type { Environment } from './projects.ts'

export type { NewPet, Pet, PetFilter, PetStatus } from '../../../client/src/platform/platform.ts'

const STORE = '/projects/{project}/environments/{environment}'

/** Pages are kept as they were followed, so that going back costs nothing. */
export const petsQuery = (project: string, environment: Environment, filter: PetFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, environment, 'pets', firstPage(filter)],
    queryFn: ({ signal, pageParam: query }) =>
      platform.page(`GET ${STORE}/pets`, { project, environment, query, signal }),
    initialPageParam: firstPage(filter),
    getNextPageParam: (page) => page.next,
  })

export const addPet = (project: string, environment: Environment, body: NewPet) =>
  platform.call(`POST ${STORE}/pets`, { project, environment, body })

export const changePet = (project: string, environment: Environment, petId: Int64, body: PetPatch) =>
  platform.call(`PATCH ${STORE}/pets/{petId}`, { project, environment, petId, body })

/**
 * Refused with `conflict` while an order holds the animal.
 *
 * @public
 */
export const deletePet = (project: string, environment: Environment, petId: Int64) =>
  platform.call(`DELETE ${STORE}/pets/{petId}`, { project, environment, petId })

export const newestPetsQuery = (project: string, environment: Environment) =>
  queryOptions({
    queryKey: ['projects', project, environment, 'newest-pets'],
    queryFn: ({ signal }) => platform.call(`GET ${STORE}/newest-animals`, { project, environment, signal }),
  })
