import { queryOptions } from '@tanstack/react-query'
import type { Environment, Routes } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { BoundedCount, Overview, Project, Usage } from '../../../client/src/platform/platform.ts'
export type { Environment }

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => platform.call('GET /projects', { signal }),
  staleTime: 30_000,
})

export const overviewQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'overview'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/overview', { project, signal }),
  })

export const usageQuery = (project: string, query: { environment: Environment; days: number }) =>
  queryOptions({
    queryKey: ['projects', project, 'usage', query],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/usage', { project, query, signal }),
    staleTime: 15_000,
  })

export const createProject = (body: { slug: string; name: string }) => platform.call('POST /projects', { body })

export const changeProject = (project: string, body: Routes['PATCH /projects/{project}']['body']) =>
  platform.call('PATCH /projects/{project}', { project, body })

export const deleteProject = (project: string, confirm: string) =>
  platform.call('DELETE /projects/{project}', { project, body: { confirm } })
