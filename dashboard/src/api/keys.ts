import { queryOptions } from '@tanstack/react-query'
import type { KeyRotation, NewKeyBody } from '../../../src/platform-api/routes/keys.ts'
import type { KeyView as Key, NewKey } from '../../../src/features/keys/keys.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { pathOf } from './projects.ts'
import { request } from './request.ts'

export type { Key, NewKey }

export const keysQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'keys'],
    queryFn: ({ signal }) => request<Key[]>(`${pathOf(slug)}/keys`, { signal }),
  })

export const createKey = (slug: string, body: Static<typeof NewKeyBody>) =>
  request<NewKey>(`${pathOf(slug)}/keys`, { method: 'POST', body })

export const rotateKey = (slug: string, id: string, body: Static<typeof KeyRotation>) =>
  request<NewKey>(`${pathOf(slug)}/keys/${id}/rotate`, { method: 'POST', body })

export const revokeKey = (slug: string, id: string) => request<Key>(`${pathOf(slug)}/keys/${id}`, { method: 'DELETE' })
