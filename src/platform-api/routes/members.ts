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
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { changeRole, KeysTo, removeMember } from '../member-keys.ts'
import { created, done, ok, parameter, type ProjectCall, route } from '../route.ts'

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
      summary: 'List the members',
      method: 'GET',
      path: '/projects/{project}/members',
      role: 'viewer',
      handle: async ({ storage, project }) => ok(await listMembers({ storage }, project.projectId)),
    }),
    route({
      id: 'changeRole',
      summary: 'Change the role of a member',
      description: 'The keys and tokens of whoever becomes a viewer end, unless another member takes them over.',
      method: 'PATCH',
      path: '/projects/{project}/members/{account}',
      role: 'owner',
      body: RoleChange,
      refusal: 'The role was not changed',
      query: KeysTo,
      async handle(call, body) {
        await changeRole({ storage: call.storage, clock }, { ...memberOf(call), role: body.role })
        await changes.catchUp()
        return done()
      },
    }),
    route({
      id: 'removeMember',
      summary: 'Remove a member',
      description: 'The keys and tokens that the member has made end, unless another member takes them over.',
      method: 'DELETE',
      path: '/projects/{project}/members/{account}',
      role: 'owner',
      query: KeysTo,
      async handle(call) {
        await removeMember({ storage: call.storage, clock }, memberOf(call))
        await changes.catchUp()
        return done()
      },
    }),
    route({
      id: 'listInvitations',
      summary: 'List the open invitations',
      method: 'GET',
      path: '/projects/{project}/invitations',
      role: 'owner',
      handle: async ({ storage, project }) => ok(await listInvitations({ storage, clock }, project.projectId)),
    }),
    route({
      id: 'createInvitation',
      summary: 'Invite somebody',
      description: 'The link is in this answer only, and in the mail where the service sends mail.',
      answers: [201],
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
      summary: 'See what became of the mail of an invitation',
      method: 'GET',
      path: '/invitations/{invitation}/mail',
      role: 'session',
      handle: async (call) => ok(await invitationMail(call, call.who, parameter(call, 'invitation'))),
    }),
    route({
      id: 'withdrawInvitation',
      summary: 'Withdraw an invitation',
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

function memberOf(call: ProjectCall & { query: { keysTo?: string | undefined } }) {
  const { project, who, query } = call
  return { projectId: project.projectId, accountId: parameter(call, 'account'), by: who.id, keysTo: query.keysTo }
}
