import { queryOptions } from '@tanstack/react-query'
import type { NewProject, ProjectPatch, ProjectView as Project } from '../../../src/platform-api/routes/projects.ts'
import type { OverviewView as Overview } from '../../../src/platform-api/routes/overview.ts'
import type { UsageView as Usage } from '../../../src/platform-api/routes/usage.ts'
import type { Environment } from '../../../src/platform/http/operation.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { request } from './request.ts'

export type { Environment, Overview, Project, Usage }

export const pathOf = (slug: string) => `/projects/${encodeURIComponent(slug)}`

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => request<Project[]>('/projects', { signal }),
  staleTime: 30_000,
})

export const overviewQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'overview'],
    queryFn: ({ signal }) => request<Overview>(`${pathOf(slug)}/overview`, { signal }),
  })

export const usageQuery = (slug: string, of: { environment: Environment; days: number }) =>
  queryOptions({
    queryKey: ['projects', slug, 'usage', of],
    queryFn: ({ signal }) =>
      request<Usage>(`${pathOf(slug)}/usage?environment=${of.environment}&days=${of.days}`, { signal }),
    staleTime: 15_000,
  })

export const createProject = (body: Static<typeof NewProject>) =>
  request<Project>('/projects', { method: 'POST', body })

export const changeProject = (slug: string, body: Static<typeof ProjectPatch>) =>
  request<Project>(pathOf(slug), { method: 'PATCH', body })

export const deleteProject = (slug: string, confirm: string) =>
  request<void>(pathOf(slug), { method: 'DELETE', body: { confirm } })

export const leaveProject = (slug: string) => request<void>(`${pathOf(slug)}/leave`, { method: 'POST' })
