import type { CertificateAttemptView } from '../views/certificate-attempt.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { AuthorityBudgetView, IssuanceBudgetView } from '../views/issuance-budget.ts'
import type { BudgetAnswer } from '../../features/certificates/budget/budget.ts'
import { authorityName } from '../../features/certificates/choice/authority.ts'
import { budgetFor } from '../../features/certificates/budget/meters.ts'
import { iso } from '../../platform/iso-date.ts'
import { listEntriesOfSubject } from '../../features/audit/queries.ts'
import { ok, parameter, route } from '../route.ts'
import { requireDomain } from '../../features/domains/domains.ts'
import { type CaLimits, limitOf } from '../../features/certificates/budget/limits.ts'

export interface IssuanceBudgetRouteNeeds {
  clock: Clock
  /** Who issues certificates, and how much each allows; undefined where it sets no limits. */
  authorities: readonly { issuer: { id: string }; limits: CaLimits | undefined }[]
}

/** How many more orders the certificate authority allows for a domain. */
export function issuanceBudgetRoutes(needs: IssuanceBudgetRouteNeeds) {
  return [
    route({
      id: 'getIssuanceBudget',
      summary: 'See how many certificates may still be ordered',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/budget',
      role: 'viewer',
      async handle(call) {
        const { hostname } = await requireDomain(call, call.project, parameter(call, 'hostname'))
        const holder = { share: 'ordersPerProject' as const, id: String(call.project.projectId) }
        const asked = { names: [hostname], replacing: false, holder }
        const [first, second] = await Promise.all(
          needs.authorities.map(async ({ issuer, limits }): Promise<AuthorityBudgetView> => {
            const authority = authorityName(issuer.id)
            if (limits === undefined) return { authority, limits: [], openAt: null }
            const answer = await budgetFor(call.storage.read, issuer.id, limits, asked, needs.clock.now())
            return { authority, ...leftOf(answer, limits) }
          }),
        )
        return ok({ ...(first as AuthorityBudgetView), fallback: second ?? null } satisfies IssuanceBudgetView)
      },
    }),
  ]
}

const leftOf = (answer: BudgetAnswer, limits: CaLimits) => ({
  limits: answer.left.flatMap(({ limit, left, burst }) => {
    const of = limitOf(limits, limit)
    return of ? [{ limit, left, burst, windowMs: of.windowMs }] : []
  }),
  openAt: answer.allowed ? null : iso(answer.at),
})

const ATTEMPTS_MAX = 20

const RESULTS: Record<string, CertificateAttemptView['result']> = {
  'certificate.issue': 'issued',
  'certificate.renew': 'renewed',
  'certificate.fail': 'failed',
  'certificate.revoke': 'revoked',
}

/** Every try for a certificate of a domain, newest first, as the audit log has kept it. */
export function certificateAttemptRoutes() {
  return [
    route({
      id: 'listCertificateAttempts',
      summary: 'List the attempts to get a certificate',
      description: 'Newest first.',
      method: 'GET',
      path: '/projects/{project}/domains/{hostname}/attempts',
      role: 'viewer',
      async handle(call) {
        const { projectId } = call.project
        const { hostname } = await requireDomain(call, call.project, parameter(call, 'hostname'), { removedToo: true })
        return ok(await listAttempts(call.storage.read, projectId, hostname))
      },
    }),
  ]
}

async function listAttempts(db: Db, projectId: number, hostname: string): Promise<CertificateAttemptView[]> {
  const wanted = { projectId, subject: hostname, verbs: Object.keys(RESULTS), limit: ATTEMPTS_MAX }
  const rows = await listEntriesOfSubject(db, wanted)
  return rows.map(({ at, verb, details }) => {
    const { code = null } = JSON.parse(details) as { code?: CertificateAttemptView['problem'] }
    return { at: iso(at), result: RESULTS[verb] as CertificateAttemptView['result'], problem: code }
  })
}
