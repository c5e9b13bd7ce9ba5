import '../../features/keys/tables.ts'
import '../../features/pets/tables.ts'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, type Clock } from '../../platform/clock.ts'
import { ENVIRONMENTS, type Environment } from '../../platform/http/operation.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { CountDomains } from '../../features/projects/projects.ts'
import { PET_STATUSES, type PetStatus } from '../../features/pets/status.ts'
import { ok, route } from '../route.ts'
import { findDeprecatedCallers, sumUsage } from '../usage-queries.ts'

export interface OverviewRoomParts {
  clock: Clock
  countDomains: CountDomains
  flushUsage(): Promise<void>
  deprecatedOperations: readonly string[]
}

/** Counting millions of rows would take longer than anybody looks at the number. */
const COUNTED_MAX = 10_000

/** A count that stops: `more` says that there are others beyond it. */
export interface BoundedCount {
  count: number
  more: boolean
}

export interface OverviewView {
  animals: Record<Environment, Record<PetStatus, BoundedCount>>
  openOrders: Record<Environment, BoundedCount>
  activeKeys: number
  members: number
  domains: number
  lastDay: { calls: number; failures: number }
  /** Keys that called an operation to be removed in the last 30 days. */
  deprecatedCallers: number
}

/** The first page of a project: its numbers at a glance. */
export function overviewRoutes({ clock, countDomains, flushUsage, deprecatedOperations }: OverviewRoomParts) {
  return [
    route({
      id: 'getOverview',
      method: 'GET',
      path: '/projects/{project}/overview',
      role: 'viewer',
      async handle({ storage: { read: db }, project: { projectId } }) {
        await flushUsage()
        const now = clock.now()
        const from = now - (now % HOUR_MS) - DAY_MS + HOUR_MS
        const usage = await sumUsage(db, { projectId, environment: undefined, from, stepMs: DAY_MS })
        const deprecated = { projectId, operations: deprecatedOperations, from: now - 30 * DAY_MS }
        const view: OverviewView = {
          animals: await perEnvironment((environment) => countAnimals(db, projectId, environment)),
          openOrders: await perEnvironment((environment) => countOpenOrders(db, projectId, environment)),
          activeKeys: await countActiveKeys(db, projectId, now),
          members: await countMembers(db, projectId),
          domains: await countDomains(projectId),
          lastDay: {
            calls: usage.reduce((sum, row) => sum + row.calls, 0),
            failures: usage.reduce((sum, row) => sum + row.failures, 0),
          },
          deprecatedCallers: new Set((await findDeprecatedCallers(db, deprecated)).map((caller) => caller.keyId)).size,
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

async function countAnimals(db: Db, projectId: number, environment: Environment) {
  const counts = {} as Record<PetStatus, BoundedCount>
  for (const status of PET_STATUSES) {
    const rows = db
      .selectFrom('pets')
      .select('id')
      .where('project_id', '=', projectId)
      .where('environment', '=', environment)
      .where('status', '=', status)
      .limit(COUNTED_MAX + 1)
    counts[status] = bounded(await db.selectFrom(rows.as('counted')).select(countAll).executeTakeFirstOrThrow())
  }
  return counts
}

async function countOpenOrders(db: Db, projectId: number, environment: Environment): Promise<BoundedCount> {
  const rows = db
    .selectFrom('orders')
    .select('id')
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .where('status', '=', 'placed')
    .limit(COUNTED_MAX + 1)
  return bounded(await db.selectFrom(rows.as('counted')).select(countAll).executeTakeFirstOrThrow())
}

async function countActiveKeys(db: Db, projectId: number, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('keys')
    .select(countAll)
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return count
}

async function countMembers(db: Db, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select(countAll)
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

const countAll = sql<number>`count(*)`.as('count')

function bounded({ count }: { count: number }): BoundedCount {
  return { count: Math.min(count, COUNTED_MAX), more: count > COUNTED_MAX }
}
