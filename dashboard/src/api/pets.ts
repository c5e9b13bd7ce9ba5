import { queryOptions } from '@tanstack/react-query'
import type { Int64, NewPet, PageSearch, PetPatch } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'
import type { Environment } from './projects.ts'

export type { NewPet, Pet, PetStatus } from '../../../client/src/platform/platform.ts'

const STORE = '/projects/{project}/environments/{environment}'

/** One page of a list, as its address or the page before asks for it. */
export type PetsLook = PageSearch

export const petsQuery = (project: string, environment: Environment, query: PetsLook) =>
  queryOptions({
    queryKey: ['projects', project, environment, 'pets', query],
    queryFn: ({ signal }) => petsPage(project, environment, query, signal),
  })

export const petsPage = (project: string, environment: Environment, query: PetsLook, signal?: AbortSignal) =>
  platform.page(`GET ${STORE}/pets`, { project, environment, query, signal })

/** How many a list has in all its pages; it stops at 10,000. */
export const petsCountQuery = (project: string, environment: Environment, look: PetsLook) => {
  const { limit: _, cursor: __, order: ___, ...query } = look
  return queryOptions({
    queryKey: ['projects', project, environment, 'count', 'pets', query],
    queryFn: ({ signal }) => platform.call(`GET ${STORE}/counts/pets`, { project, environment, query, signal }),
  })
}

/** Those of these that are still there. */
export const petsByIdQuery = (project: string, environment: Environment, ids: readonly Int64[]) =>
  queryOptions({
    queryKey: ['projects', project, environment, 'pets', 'of', ids.map(String)],
    queryFn: ({ signal }) =>
      platform.page(`GET ${STORE}/pets`, { project, environment, query: { id: ids, limit: 100 }, signal }),
    enabled: ids.length > 0,
  })

export const addPet = (project: string, environment: Environment, body: NewPet) =>
  platform.call(`POST ${STORE}/pets`, { project, environment, body })

export const changePet = (project: string, environment: Environment, petId: Int64, body: PetPatch) =>
  platform.call(`PATCH ${STORE}/pets/{petId}`, { project, environment, petId, body })

export const deletePet = (project: string, environment: Environment, petId: Int64) =>
  platform.call(`DELETE ${STORE}/pets/{petId}`, { project, environment, petId })
