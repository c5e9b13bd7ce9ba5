import { type CaLimits, limitOf } from '../../features/certificates/budget/limits.ts'
import { budgetFor } from '../../features/certificates/budget/meters.ts'
import { requireDomain } from '../../features/domains/domains.ts'
import type { Clock } from '../../platform/clock.ts'
import { iso } from '../../platform/iso-date.ts'
import type { IssuanceBudgetView } from '../issuance-budget-view.ts'
import { ok, parameter, route } from '../route.ts'

export interface IssuanceBudgetRouteNeeds {
  clock: Clock
  /** Who issues certificates, and how much it allows; undefined where it sets no limits. */
  issuance: { issuer: { id: string }; limits: CaLimits | undefined }
}

/** How many more orders the certificate authority allows for a domain. */
export function issuanceBudgetRoutes(needs: IssuanceBudgetRouteNeeds) {
  return [
    route({
      id: 'getIssuanceBudget',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/budget',
      role: 'viewer',
      async handle(call) {
        const { hostname } = await requireDomain(call, call.project, parameter(call, 'hostname'))
        const { issuer, limits } = needs.issuance
        if (limits === undefined) return ok({ limits: [], openAt: null } satisfies IssuanceBudgetView)
        const holder = { share: 'ordersPerProject' as const, id: String(call.project.projectId) }
        const asked = { names: [hostname], replacing: false, holder }
        const answer = await budgetFor(call.storage.read, issuer.id, limits, asked, needs.clock.now())
        const view: IssuanceBudgetView = {
          limits: answer.left.flatMap(({ limit, left, burst }) => {
            const of = limitOf(limits, limit)
            return of ? [{ limit, left, burst, windowMs: of.windowMs }] : []
          }),
          openAt: answer.allowed ? null : iso(answer.at),
        }
        return ok(view)
      },
    }),
  ]
}
