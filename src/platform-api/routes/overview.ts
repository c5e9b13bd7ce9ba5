import { countMembers } from '../../features/accounts/queries.ts'
import { countActiveKeys } from '../../features/keys/queries.ts'
import { findDeprecatedCallers, sumUsage } from '../../features/keys/usage-queries.ts'
import { countOpenOrders } from '../../features/orders/queries.ts'
import { countPets } from '../../features/pets/queries.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../../platform/clock.ts'
import { ENVIRONMENTS, type Environment } from '../../platform/http/operation.ts'
import type { BoundedCount } from '../../platform/storage/bounded-count.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { CountDomains } from '../../features/projects/projects.ts'
import { PET_STATUSES, type PetStatus } from '../../features/pets/status.ts'
import { ok, route } from '../route.ts'

export interface OverviewRouteNeeds {
  clock: Clock
  countDomains: CountDomains
  flushUsage(): Promise<void>
  deprecatedOperations: readonly string[]
}

export interface OverviewView {
  animals: Record<Environment, Record<PetStatus, BoundedCount>>
  openOrders: Record<Environment, BoundedCount>
  activeKeys: number
  members: number
  domains: number
  lastDay: Record<Environment, { calls: number; failures: number }>
  /** Keys that called an operation to be removed in the last 30 days. */
  deprecatedCallers: Record<Environment, number>
}

/** The first page of a project: its numbers at a glance. */
export function overviewRoutes({ clock, countDomains, flushUsage, deprecatedOperations }: OverviewRouteNeeds) {
  return [
    route({
      id: 'getOverview',
      summary: 'Get the numbers of a project',
      method: 'GET',
      path: '/projects/{project}/overview',
      role: 'viewer',
      async handle({ storage: { read: db }, project: { projectId } }) {
        await flushUsage()
        const now = clock.now()
        const from = now - (now % HOUR_MS) - DAY_MS + HOUR_MS
        const deprecated = { projectId, operations: deprecatedOperations, from: now - 30 * DAY_MS }
        const callers = await findDeprecatedCallers(db, deprecated)
        const view: OverviewView = {
          animals: await perEnvironment((environment) => countAnimals(db, { projectId, environment })),
          openOrders: await perEnvironment((environment) => countOpenOrders(db, { projectId, environment })),
          activeKeys: await countActiveKeys(db, projectId, now),
          members: await countMembers(db, projectId),
          domains: await countDomains(projectId),
          lastDay: await perEnvironment((environment) => sumCalls(db, { projectId, environment, from })),
          deprecatedCallers: await perEnvironment(async (environment) => {
            const own = callers.filter((caller) => caller.environment === environment)
            return new Set(own.map((caller) => caller.keyId)).size
          }),
        }
        return ok(view)
      },
    }),
  ]
}

async function perEnvironment<Value>(count: (environment: Environment) => Promise<Value>) {
  const counted = {} as Record<Environment, Value>
  for (const environment of ENVIRONMENTS) counted[environment] = await count(environment)
  return counted
}

async function sumCalls(db: Db, of: { projectId: number; environment: Environment; from: number }) {
  const rows = await sumUsage(db, { ...of, stepMs: DAY_MS })
  return {
    calls: rows.reduce((sum, row) => sum + row.calls, 0),
    failures: rows.reduce((sum, row) => sum + row.failures, 0),
  }
}

async function countAnimals(db: Db, tenant: Tenant) {
  const counts = {} as Record<PetStatus, BoundedCount>
  for (const status of PET_STATUSES) counts[status] = await countPets(db, tenant, status)
  return counts
}
