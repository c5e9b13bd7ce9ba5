import { listAccounts } from '../../features/accounts/accounts.ts'
import { invite } from '../../features/accounts/members.ts'
import type { LinkMailNeeds } from '../../features/accounts/mail/link-mail.ts'
import type { SignInThrottle } from '../../features/accounts/throttle.ts'
import { listProjects } from '../../features/projects/projects.ts'
import type { Suspensions } from '../../features/projects/suspensions.ts'
import { PLANS } from '../../features/projects/tables.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Cursors } from '../../platform/http/lists/cursor.ts'
import { pageParameters } from '../../platform/http/openapi/page-parameters.ts'
import { pageReader } from '../../platform/http/lists/page.ts'
import { object, oneOf, optional, text } from '../../platform/schema.ts'
import { changePlan } from '../change-project.ts'
import { created, ok, okPage, parameter, route } from '../route.ts'
import { shown } from './projects.ts'

export interface OperatorRouteNeeds extends LinkMailNeeds {
  clock: Clock
  throttle: SignInThrottle
  suspensions: Pick<Suspensions, 'of'>
  cursors: Cursors
}

export const PlanChange = object({ plan: oneOf(PLANS) })
export const AccountInvitation = object({
  email: optional(text({ minLength: 3, maxLength: 254, rule: 'must be an e-mail address' })),
})

const searched = (columns: string) =>
  object({
    ...pageParameters,
    q: optional(
      text({
        minLength: 1,
        maxLength: 255,
        description: `Only those that have this in their ${columns}.`,
        rule: 'must be 1 to 255 characters',
      }),
    ),
  })
const ProjectsQuery = searched('name or slug')
const AccountsQuery = searched('name or address')

/** What only the operator of the platform may do. */
export function operatorRoutes(needs: OperatorRouteNeeds) {
  const { suspensions, cursors } = needs
  const readProjects = pageReader(ProjectsQuery, cursors)
  const readAccounts = pageReader(AccountsQuery, cursors)
  return [
    route({
      id: 'listAllProjects',
      summary: 'List all projects',
      description: 'In the order of their slugs, in pages.',
      method: 'GET',
      path: '/operator/projects',
      role: 'operator',
      query: ProjectsQuery,
      async handle(call) {
        const page = readProjects(call.url, 'all projects')
        const found = await listProjects(call, { ...page.filter, after: page.afterKey, limit: page.limit + 1 })
        const rows = found.map((project) => shown(project, suspensions))
        return okPage(call, { page, rows, cursors, positionOf: ({ slug: key }) => ({ id: 0, key }) })
      },
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
      description: 'In the order of their addresses, in pages.',
      method: 'GET',
      path: '/operator/accounts',
      role: 'operator',
      query: AccountsQuery,
      async handle(call) {
        const page = readAccounts(call.url, 'all accounts')
        const rows = await listAccounts(call, { ...page.filter, after: page.afterKey, limit: page.limit + 1 })
        return okPage(call, { page, rows, cursors, positionOf: ({ email: key }) => ({ id: 0, key }) })
      },
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
