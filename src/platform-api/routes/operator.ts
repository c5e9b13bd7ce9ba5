import { listAccounts } from '../../features/accounts/accounts.ts'
import { invite } from '../../features/accounts/members.ts'
import type { LinkMailNeeds } from '../../features/accounts/mail/link-mail.ts'
import type { SignInThrottle } from '../../features/accounts/throttle.ts'
import { listProjects } from '../../features/projects/projects.ts'
import type { Suspensions } from '../../features/projects/suspensions.ts'
import { PLANS } from '../../features/projects/tables.ts'
import type { Clock } from '../../platform/clock.ts'
import { object, oneOf, optional, text } from '../../platform/schema.ts'
import { changePlan } from '../change-plan.ts'
import { created, ok, parameter, route } from '../route.ts'
import { shown } from './projects.ts'

export interface OperatorRouteNeeds extends LinkMailNeeds {
  clock: Clock
  throttle: SignInThrottle
  suspensions: Pick<Suspensions, 'of'>
}

export const PlanChange = object({ plan: oneOf(PLANS) })
export const AccountInvitation = object({
  email: optional(text({ minLength: 3, maxLength: 254, rule: 'must be an e-mail address' })),
})

/** What only the operator of the platform may do. */
export function operatorRoutes(needs: OperatorRouteNeeds) {
  const { suspensions } = needs
  return [
    route({
      id: 'listAllProjects',
      summary: 'List all projects',
      method: 'GET',
      path: '/operator/projects',
      role: 'operator',
      handle: async ({ storage }) =>
        ok((await listProjects({ storage })).map((project) => shown(project, suspensions))),
    }),
    route({
      id: 'changePlan',
      summary: 'Change the plan of a project',
      method: 'PUT',
      path: '/operator/projects/{slug}/plan',
      role: 'operator',
      body: PlanChange,
      refusal: 'The plan was not changed',
      async handle(call, { plan }) {
        const project = await changePlan(call, parameter(call, 'slug'), plan)
        return ok(shown(project, suspensions))
      },
    }),
    route({
      id: 'listAccounts',
      summary: 'List all accounts',
      method: 'GET',
      path: '/operator/accounts',
      role: 'operator',
      handle: async ({ storage }) => ok(await listAccounts({ storage })),
    }),
    route({
      id: 'inviteAccount',
      summary: 'Invite somebody to the installation',
      answers: [201],
      method: 'POST',
      path: '/operator/invitations',
      role: 'operator',
      body: AccountInvitation,
      refusal: 'Nobody was invited',
      async handle({ storage, who }, { email }) {
        const { role: _, ...invitation } = await invite({ ...needs, storage }, who, { email })
        return created(invitation)
      },
    }),
  ]
}
