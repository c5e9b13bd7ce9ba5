import {
  changeRole,
  invite,
  listInvitations,
  listMembers,
  withdrawInvitation,
} from '../../features/accounts/members.ts'
import { ROLES } from '../../features/accounts/role.ts'
import type { Clock } from '../../platform/clock.ts'
import { object, oneOf, optional, text } from '../../platform/schema.ts'
import { readQuery } from '../../platform/http/query-string.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { removeMember } from '../member-keys.ts'
import { created, done, ok, parameter, route } from '../route.ts'

const role = oneOf(ROLES)

export const RoleChange = object({ role })
export const NewInvitation = object({
  role,
  email: optional(text({ minLength: 3, maxLength: 254, rule: 'must be an e-mail address' })),
})

export interface MemberRouteNeeds {
  clock: Clock
  changes: Pick<ChangeFeed, 'catchUp'>
  dashboardUrl: string
}

/** The people of a project, and the invitations that are still open. */
export function memberRoutes({ clock, changes, dashboardUrl }: MemberRouteNeeds) {
  return [
    route({
      id: 'listMembers',
      method: 'GET',
      path: '/projects/{project}/members',
      role: 'viewer',
      handle: async ({ storage, project }) => ok(await listMembers({ storage }, project.projectId)),
    }),
    route({
      id: 'changeRole',
      method: 'PATCH',
      path: '/projects/{project}/members/{account}',
      role: 'owner',
      body: RoleChange,
      refusal: 'The role was not changed',
      async handle(call, body) {
        const { projectId } = call.project
        await changeRole(call, { projectId, accountId: parameter(call, 'account'), role: body.role })
        return done()
      },
    }),
    route({
      id: 'removeMember',
      method: 'DELETE',
      path: '/projects/{project}/members/{account}',
      role: 'owner',
      async handle(call) {
        const { keysTo } = readQuery(call.url, ['keysTo'])
        const { storage, project } = call
        const removal = { projectId: project.projectId, accountId: parameter(call, 'account'), keysTo }
        await removeMember({ storage, clock }, removal)
        await changes.catchUp()
        return done()
      },
    }),
    route({
      id: 'listInvitations',
      method: 'GET',
      path: '/projects/{project}/invitations',
      role: 'owner',
      handle: async ({ storage, project }) => ok(await listInvitations({ storage, clock }, project.projectId)),
    }),
    route({
      id: 'createInvitation',
      method: 'POST',
      path: '/projects/{project}/invitations',
      role: 'owner',
      body: NewInvitation,
      refusal: 'Nobody was invited',
      async handle({ storage, who, project }, body) {
        const input = { projectId: project.projectId, role: body.role, email: body.email }
        return created(await invite({ storage, clock, dashboardUrl }, who, input))
      },
    }),
    route({
      id: 'withdrawInvitation',
      method: 'DELETE',
      path: '/projects/{project}/invitations/{invitation}',
      role: 'owner',
      async handle(call) {
        await withdrawInvitation(call, call.project.projectId, parameter(call, 'invitation'))
        return done()
      },
    }),
  ]
}
