import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { Passwords } from '../features/accounts/passwords/passwords.ts'
import { SignInThrottle } from '../features/accounts/throttle.ts'
import type { UploadParts } from '../features/deploys/uploads.ts'
import type { UsageCounter } from '../features/keys/usage.ts'
import type { CountDomains } from '../features/projects/projects.ts'
import type { Clock } from '../platform/clock.ts'
import type { OperationContract } from '../platform/http/operation.ts'
import { requestIds } from '../platform/http/request-id.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import { settledValue } from '../platform/storage/setting.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { admit } from './admission.ts'
import { type Answered, createDashboardApi, type DashboardApi } from './app.ts'
import { ProjectPurge } from './delete-project.ts'
import type { DomainsRoomParts } from './routes/domains.ts'
import type { IssuanceBudgetRoomParts } from './routes/issuance-budget.ts'
import { dashboardRoutes } from './route-table.ts'

export interface DashboardWorld {
  config: Config
  storage: Storage
  clock: Clock
  log: Log
  metrics: Metrics
  changes: ChangeFeed
  usage: UsageCounter
  contracts: readonly OperationContract[]
  cursorSecret: string
  countDomains: CountDomains
  uploads: UploadParts
  domains: DomainsRoomParts['domains']
  issuance: IssuanceBudgetRoomParts['issuance']
  publishStarter(): Promise<void>
}

export const dashboardUrlOf = ({ baseUrl }: Pick<Config, 'baseUrl'>) => baseUrl.origin

/** Builds the dashboard API and finishes what an earlier process has left half deleted. */
export async function startDashboard(world: DashboardWorld): Promise<DashboardApi & AsyncDisposable> {
  const { config, storage, clock, log, metrics, changes, usage, contracts, cursorSecret } = world
  const { countDomains, uploads, domains, issuance, publishStarter } = world
  const purge = new ProjectPurge(storage, (error) => log.warn({ err: error }, 'a deleted project is not cleared away'))
  const routes = dashboardRoutes({
    storage,
    clock,
    changes,
    purge,
    cursorSecret,
    countDomains,
    uploads,
    domains,
    issuance,
    publishStarter,
    passwords: new Passwords(),
    throttle: new SignInThrottle(clock),
    deviceSecret: await settledValue(storage, 'device_secret', () => randomBytes(32).toString('base64url')),
    signup: config.signup,
    installation: config,
    dashboardUrl: dashboardUrlOf(config),
    siteUrl: (slug) => siteUrl(config, slug),
    flushUsage: () => usage.flush(),
    deprecatedOperations: contracts.filter((contract) => contract.deprecation).map((contract) => contract.id),
  })
  const api = await createDashboardApi({
    routes,
    admit: (...asked) => admit({ storage, clock, baseUrl: config.baseUrl }, ...asked),
    nextRequestId: requestIds(),
    answered: (event) => observe(metrics, log, event),
  })
  void purge.run()
  return {
    ...api,
    async [Symbol.asyncDispose]() {
      await api.close()
      await purge[Symbol.asyncDispose]()
    },
  }
}

function siteUrl({ baseUrl, platformHost }: Config, slug: string): string {
  return `${baseUrl.protocol}//${slug}.${platformHost}${baseUrl.port === '' ? '' : `:${baseUrl.port}`}/`
}

function observe(metrics: Metrics, log: Log, event: Answered): void {
  const { requestId, method, route, status, durationMs, failure } = event
  const series = metrics.requestDurations.series({
    http_request_method: route?.method ?? 'other',
    http_route: route ? `/dashboard/api${route.path}` : 'none',
    http_response_status_code: String(status),
    environment: 'dashboard',
  })
  metrics.requestDurations.observe(series, durationMs / 1000)
  if (failure) metrics.countFailure(failure.code)
  const line = { requestId, method, route: route?.id, status, durationMs }
  if (status >= 500) log.error({ ...line, err: failure?.cause ?? failure }, 'dashboard request failed')
  else log.debug(line, 'dashboard request')
}
