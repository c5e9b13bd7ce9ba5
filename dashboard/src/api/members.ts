import { queryOptions } from '@tanstack/react-query'
import type { Role } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { Invitation, Member, NewInvitation } from '../../../client/src/platform/platform.ts'
export type { Role }

export const membersQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'members'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/members', { project, signal }),
  })

export const invitationsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'invitations'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/invitations', { project, signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ mail }) => mail === 'queued') ? 2000 : false),
  })

/** Asked until it is known what became of the mail. */
export const invitationMailQuery = (invitation: string) =>
  queryOptions({
    queryKey: ['invitations', invitation, 'mail'],
    queryFn: ({ signal }) => platform.call('GET /invitations/{invitation}/mail', { invitation, signal }),
    refetchInterval: ({ state }) => (['sent', 'refused'].includes(state.data?.mail ?? '') ? false : 1000),
  })

/** The keys of whoever becomes a viewer end, unless another member takes them over. */
export const changeRole = (project: string, account: string, role: Role, keysTo: string | null) =>
  platform.call('PATCH /projects/{project}/members/{account}', {
    project,
    account,
    body: { role },
    query: queryOf(keysTo),
  })

/** The member's keys end, unless another member takes them over. */
export const removeMember = (project: string, account: string, keysTo: string | null) =>
  platform.call('DELETE /projects/{project}/members/{account}', { project, account, query: queryOf(keysTo) })

export const leaveProject = (project: string, keysTo: string | null) =>
  platform.call('POST /projects/{project}/leave', { project, query: queryOf(keysTo) })

const queryOf = (keysTo: string | null) => (keysTo === null ? {} : { keysTo })

export const invite = (project: string, body: { role: Role; email?: string }) =>
  platform.call('POST /projects/{project}/invitations', { project, body })

export const withdrawInvitation = (project: string, invitation: string) =>
  platform.call('DELETE /projects/{project}/invitations/{invitation}', { project, invitation })
