import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NewPet, Pet as PetSchema, PetPatch } from '../../../src/features/pets/contract.ts'
import type { PetStatus } from '../../../src/features/pets/status.ts'
import type { Int64 } from '../../../src/platform/int64.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { type Environment, pathOf } from './projects.ts'
import { request, requestPage } from './request.ts'

export type Pet = Static<typeof PetSchema>
export type { NewPet, PetPatch, PetStatus }

const PAGE_ROWS = 25

const storePath = (slug: string, environment: Environment) => `${pathOf(slug)}/environments/${environment}`

/** Pages are kept as they were followed, so that going back costs nothing. */
export const petsQuery = (slug: string, environment: Environment, status: PetStatus | null) =>
  infiniteQueryOptions({
    queryKey: ['projects', slug, environment, 'pets', status],
    queryFn: ({ signal, pageParam }) => requestPage<Pet>(pageParam, { signal }),
    initialPageParam: `${storePath(slug, environment)}/pets?limit=${PAGE_ROWS}${status ? `&status=${status}` : ''}`,
    getNextPageParam: (page) => page.next,
  })

export const addPet = (slug: string, environment: Environment, body: NewPet) =>
  request<Pet>(`${storePath(slug, environment)}/pets`, { method: 'POST', body })

export const changePet = (slug: string, environment: Environment, id: Int64, body: PetPatch) =>
  request<Pet>(`${storePath(slug, environment)}/pets/${id}`, { method: 'PATCH', body })

export const newestPetsQuery = (slug: string, environment: Environment) =>
  queryOptions({
    queryKey: ['projects', slug, environment, 'newest-pets'],
    queryFn: ({ signal }) => request<Pet[]>(`${storePath(slug, environment)}/newest-animals`, { signal }),
  })
