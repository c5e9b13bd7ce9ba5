import {
  invitationMail,
  invite,
  listInvitations,
  listMembers,
  withdrawInvitation,
} from '../../features/accounts/members.ts'
import { ROLES } from '../../features/accounts/role.ts'
import type { LinkMailNeeds } from '../../features/accounts/mail/link-mail.ts'
import type { SignInThrottle } from '../../features/accounts/throttle.ts'
import type { Clock } from '../../platform/clock.ts'
import { object, oneOf, optional, text } from '../../platform/schema.ts'
import { readQuery } from '../../platform/http/query-string.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { changeRole, removeMember } from '../member-keys.ts'
import { created, done, ok, parameter, route } from '../route.ts'

const role = oneOf(ROLES)

export const RoleChange = object({ role })
export const NewInvitation = object({
  role,
  email: optional(text({ minLength: 3, maxLength: 254, rule: 'must be an e-mail address' })),
})

export interface MemberRouteNeeds extends LinkMailNeeds {
  clock: Clock
  changes: Pick<ChangeFeed, 'catchUp'>
  throttle: SignInThrottle
}

/** The people of a project, and the invitations that are still open. */
export function memberRoutes(needs: MemberRouteNeeds) {
  const { clock, changes } = needs
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
        const { keysTo } = readQuery(call.url, ['keysTo'])
        const { storage, project } = call
        const change = { projectId: project.projectId, accountId: parameter(call, 'account'), keysTo, role: body.role }
        await changeRole({ storage, clock }, change)
        await changes.catchUp()
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
        return created(await invite({ ...needs, storage }, who, { project, role: body.role, email: body.email }))
      },
    }),
    route({
      id: 'getInvitationMail',
      method: 'GET',
      path: '/invitations/{invitation}/mail',
      role: 'session',
      handle: async (call) => ok(await invitationMail(call, call.who, parameter(call, 'invitation'))),
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
