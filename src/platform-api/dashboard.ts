import type { Config } from '../config.ts'
import { noticesByMail } from '../features/accounts/mail/notices.ts'
import { Passwords } from '../features/accounts/passwords/passwords.ts'
import { SignInThrottle } from '../features/accounts/throttle.ts'
import type { SecretSealer } from '../features/accounts/second-factors/secret-sealer.ts'
import { StoredContents } from '../features/deploys/stored.ts'
import type { UploadNeeds } from '../features/deploys/uploads.ts'
import type { UsageCounter } from '../features/keys/usage.ts'
import type { RequestCounter } from '../features/requests/counter.ts'
import type { CountDomains } from '../features/projects/projects.ts'
import type { Suspensions } from '../features/projects/suspensions.ts'
import type { Clock } from '../platform/clock.ts'
import type { PetstoreError } from '../platform/errors.ts'
import type { Cursors } from '../platform/http/lists/cursor.ts'
import type { Exchange, HttpInterface } from '../platform/http/exchange.ts'
import type { OperationContract } from '../platform/http/operation.ts'
import type { LimitExchange } from '../platform/limits/exchange.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import { Share } from '../platform/share.ts'
import { settledSecret } from '../platform/storage/setting.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { admit } from './admission.ts'
import { ProjectPurge } from './delete-project.ts'
import { EventStreams } from './event-streams.ts'
import { dashboardInterface, PREFIX } from './interface.ts'
import type { ConnectRouteNeeds } from './routes/domains/connect.ts'
import type { SwitchRouteNeeds } from './routes/domains/switch.ts'
import type { SandboxProviderRouteNeeds } from './routes/domains/sandbox-provider.ts'
import { servedPlatformDocument } from './openapi/served.ts'
import type { DomainsRouteNeeds } from './routes/domains.ts'
import type { IssuanceBudgetRouteNeeds } from './routes/certificates.ts'
import type { HealthRouteNeeds } from './routes/operator/health.ts'
import type { PlatformNamesRouteNeeds } from './routes/operator/platform-names.ts'
import type { StoreNeeds } from './routes/store.ts'
import { dashboardRoutes } from './route-table.ts'
import type { DashboardRoute } from './route.ts'

export interface DashboardNeeds {
  config: Config
  storage: Storage
  clock: Clock
  log: Log
  metrics: Metrics
  changes: ChangeFeed
  usage: UsageCounter
  requests: Pick<RequestCounter, 'flush'>
  suspensions: Suspensions
  contracts: readonly OperationContract[]
  cursors: Cursors
  rooms: StoreNeeds['rooms']
  countDomains: CountDomains
  uploads: UploadNeeds
  domains: (DomainsRouteNeeds & ConnectRouteNeeds & SwitchRouteNeeds)['domains']
  sandboxProvider: SandboxProviderRouteNeeds['sandboxProvider']
  authorities: IssuanceBudgetRouteNeeds['authorities']
  platformNames: HealthRouteNeeds['platformNames'] & PlatformNamesRouteNeeds['platformNames']
  publishStarter(): Promise<void>
  /** Undefined where nobody else serves. */
  limits: LimitExchange | undefined
  sealer: SecretSealer
  /** Aborts when the service ends. */
  stopping: AbortSignal
}

export const dashboardUrlOf = ({ baseUrl }: Pick<Config, 'baseUrl'>) => baseUrl.origin

export interface Dashboard extends AsyncDisposable {
  /** The route table that is being served. */
  readonly routes: readonly DashboardRoute[]
  readonly api: HttpInterface
  /** Its OpenAPI document. */
  document(): Promise<string>
}

/** Builds the management interface and finishes what another process has left half deleted. */
export async function startDashboard(needs: DashboardNeeds): Promise<Dashboard> {
  const { config, storage, clock, log, metrics, changes, usage, contracts, cursors, rooms } = needs
  const { countDomains, uploads, domains, authorities, publishStarter } = needs
  const purge = new ProjectPurge(storage, (error) => log.warn({ err: error }, 'a deleted project is not cleared away'))
  // Pages of a form, not a flood: every change leaves an entry in the audit log.
  const flow = { atOnce: 20, burst: 300, perMinute: 120 }
  const made = { ofProject: new Share(flow, clock), ofAccount: new Share<string>(flow, clock, 'account') }
  const routes = dashboardRoutes({
    storage,
    clock,
    changes,
    purge,
    cursors,
    rooms,
    countDomains,
    editing: made.ofProject,
    stored: new StoredContents(storage.read),
    uploads,
    domains,
    sandboxProvider: needs.sandboxProvider,
    authorities,
    platformNames: needs.platformNames,
    publishStarter,
    mail: config.smtp !== undefined,
    passwords: new Passwords(),
    throttle: new SignInThrottle(clock, needs.limits),
    deviceSecret: await settledSecret(storage, 'device_secret'),
    signup: config.signup,
    sealer: needs.sealer,
    stopping: needs.stopping,
    streams: new EventStreams({ storage, changes, stopping: needs.stopping }),
    webhooks: { mayBePlain: config.platformHost === 'localhost' },
    party: {
      name: `Petstore (${config.baseUrl.hostname})`,
      id: config.baseUrl.hostname,
      origin: dashboardUrlOf(config),
    },
    installation: config,
    dashboardUrl: dashboardUrlOf(config),
    siteUrl: (slug) => siteUrl(config, slug),
    flushUsage: () => usage.flush(),
    flushRequests: () => needs.requests.flush(),
    suspensions: needs.suspensions,
    deprecatedOperations: contracts.filter((contract) => contract.deprecation).map((contract) => contract.id),
  })
  const tell = config.smtp && noticesByMail(dashboardUrlOf(config))
  const document = servedPlatformDocument(dashboardUrlOf(config) + PREFIX)
  const api = dashboardInterface({
    document,
    routes,
    changes: made,
    admit: (...asked) =>
      admit({ storage, clock, baseUrl: config.baseUrl, tell, suspensions: needs.suspensions }, ...asked),
    answered: (...answered) => observe(metrics, log, ...answered),
  })
  purge.start(clock)
  return {
    routes,
    api,
    document,
    [Symbol.asyncDispose]: () => purge[Symbol.asyncDispose](),
  }
}

/** Where a name below the platform host is opened. */
export function siteUrl({ baseUrl, platformHost }: Pick<Config, 'baseUrl' | 'platformHost'>, slug: string): string {
  return `${baseUrl.protocol}//${slug}.${platformHost}${baseUrl.port === '' ? '' : `:${baseUrl.port}`}/`
}

function observe(
  metrics: Metrics,
  log: Log,
  { request: { method }, route, requestId, startedAt }: Exchange,
  status: number,
  failure: PetstoreError | undefined,
): void {
  const durationMs = performance.now() - startedAt
  const series = metrics.requestDurations.series({
    http_request_method: route?.method ?? 'other',
    http_route: route ? PREFIX + route.path : 'none',
    http_response_status_code: String(status),
    environment: 'dashboard',
  })
  metrics.requestDurations.observe(series, durationMs / 1000)
  if (failure) metrics.countFailure(failure.code)
  const line = { requestId, method, route: route?.id, status, durationMs }
  if (status >= 500) log.error({ ...line, err: failure?.cause ?? failure }, 'dashboard request failed')
  else log.debug(line, 'dashboard request')
}
