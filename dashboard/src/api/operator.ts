import { queryOptions } from '@tanstack/react-query'
import type { Account } from '../../../src/features/accounts/accounts.ts'
import type { InvitationView } from '../../../src/features/accounts/members.ts'
import type { Project } from '../../../src/features/projects/projects.ts'
import type { Plan } from '../../../src/features/projects/tables.ts'
import { request } from './request.ts'

export type { Plan }
export type AnyProject = Omit<Project, 'id'>

export const allProjectsQuery = queryOptions({
  queryKey: ['operator', 'projects'],
  queryFn: ({ signal }) => request<AnyProject[]>('/operator/projects', { signal }),
})

export const accountsQuery = queryOptions({
  queryKey: ['operator', 'accounts'],
  queryFn: ({ signal }) => request<Account[]>('/operator/accounts', { signal }),
})

export const changePlan = (slug: string, plan: Plan) =>
  request<AnyProject>(`/operator/projects/${encodeURIComponent(slug)}/plan`, { method: 'PUT', body: { plan } })

export const inviteAccount = (email: string | undefined) =>
  request<Omit<InvitationView, 'role'> & { link: string }>('/operator/invitations', {
    method: 'POST',
    body: email ? { email } : {},
  })
