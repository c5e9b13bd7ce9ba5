import { queryOptions } from '@tanstack/react-query'
import type { NewInvitation } from '../../../src/platform-api/routes/members.ts'
import type { InvitationView as Invitation, MemberView as Member } from '../../../src/features/accounts/members.ts'
import type { Role } from '../../../src/features/accounts/role.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { pathOf } from './projects.ts'
import { request } from './request.ts'

export type { Invitation, Member, Role }

export const membersQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'members'],
    queryFn: ({ signal }) => request<Member[]>(`${pathOf(slug)}/members`, { signal }),
  })

export const invitationsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'invitations'],
    queryFn: ({ signal }) => request<Invitation[]>(`${pathOf(slug)}/invitations`, { signal }),
  })

export const changeRole = (slug: string, accountId: string, role: Role) =>
  request<void>(`${pathOf(slug)}/members/${accountId}`, { method: 'PATCH', body: { role } })

export const removeMember = (slug: string, accountId: string) =>
  request<void>(`${pathOf(slug)}/members/${accountId}`, { method: 'DELETE' })

export const invite = (slug: string, body: Static<typeof NewInvitation>) =>
  request<Invitation & { link: string }>(`${pathOf(slug)}/invitations`, { method: 'POST', body })

export const withdrawInvitation = (slug: string, id: string) =>
  request<void>(`${pathOf(slug)}/invitations/${id}`, { method: 'DELETE' })
