import { queryOptions } from '@tanstack/react-query'
import type { DeployView as Deploy } from '../../../src/features/deploys/deploys.ts'
import { pathOf } from './projects.ts'
import { request } from './request.ts'

export type { Deploy }

export const deploysQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'deploys'],
    queryFn: ({ signal }) => request<Deploy[]>(`${pathOf(slug)}/deploys`, { signal }),
  })

export const activateDeploy = (slug: string, id: string) =>
  request<Deploy>(`${pathOf(slug)}/deploys/${id}/activate`, { method: 'POST' })

/** How an upload ended; `incomplete` names the contents that have to be sent first. */
export type DeployAnswer =
  | { state: 'deployed' | 'unchanged'; deploy: Deploy }
  | { state: 'incomplete'; missing: { sha256: string; bytes: number }[] }
