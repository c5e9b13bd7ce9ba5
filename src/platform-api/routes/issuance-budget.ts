import { askBudget, type CaLimits, entriesFor } from '../../features/certificates/budget/budget.ts'
import { readMeters } from '../../features/certificates/queries.ts'
import { requireDomain } from '../../features/domains/domains.ts'
import type { Clock } from '../../platform/clock.ts'
import { iso } from '../../platform/iso-date.ts'
import type { IssuanceBudgetView } from '../issuance-budget-view.ts'
import { ok, parameter, route } from '../route.ts'

export interface IssuanceBudgetRouteNeeds {
  clock: Clock
  /** Who issues certificates, and how much it allows; null where it sets no limits. */
  issuance: { issuer: { id: string }; limits: CaLimits | null }
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
        if (limits === null) return ok({ limits: [], openAt: null } satisfies IssuanceBudgetView)
        const asked = { names: [hostname], replacing: false }
        const meters = await readMeters(
          call.storage.read,
          issuer.id,
          entriesFor(limits, asked).map(({ meter }) => meter),
        )
        const answer = askBudget(limits, meters, asked, needs.clock.now())
        const view: IssuanceBudgetView = {
          limits: answer.left.flatMap(({ limit, left }) => {
            const of = limits[limit]
            return of ? [{ limit, left, ...of }] : []
          }),
          openAt: answer.allowed ? null : iso(answer.at),
        }
        return ok(view)
      },
    }),
  ]
}
