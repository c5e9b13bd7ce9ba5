import { randomBytes } from 'node:crypto'
import { startAdmin } from './admin.ts'
import type { Config } from './config.ts'
import type { DashboardApi } from './dashboard-api/app.ts'
import { dashboardUrlOf, startDashboard } from './dashboard-api/dashboard.ts'
import { hostResolver, portOf } from './edge/hosts.ts'
import { listen, type RequestHandler } from './edge/listener.ts'
import { linkUrl } from './features/accounts/links.ts'
import { UsageCounter } from './features/keys/usage.ts'
import { KeyVerifier } from './features/keys/verify.ts'
import { orderOperations } from './features/orders/orders.ts'
import { petOperations } from './features/pets/pets.ts'
import { type FirstKeys, firstStart } from './first-start.ts'
import { startHousekeeping } from './housekeeping.ts'
import { migrations } from './migrations.ts'
import { apiObserver } from './observer.ts'
import type { Clock } from './platform/clock.ts'
import { type Api, createApi } from './platform/http/api.ts'
import { etagOf } from './platform/http/error-answer.ts'
import { openApiDocument } from './platform/http/openapi.ts'
import { RateLimiter } from './platform/http/rate-limit.ts'
import { requestIds } from './platform/http/request-id.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { NoticeBoard } from './platform/storage/notices.ts'
import { openStorage, StartError } from './platform/storage/open.ts'
import { settledValue } from './platform/storage/setting.ts'
import type { Storage } from './platform/storage/storage.ts'

export interface Petstore extends AsyncDisposable {
  readonly storage: Storage
  readonly notices: NoticeBoard
  /** Present on the start that created the first project. */
  readonly firstKeys: FirstKeys | undefined
  /** Creates the owner's account, once; present together with the first keys. */
  readonly ownerLink: string | undefined
  readonly dashboardRoutes: DashboardApi['routes']
}

/** Builds the whole service, from the bottom up; what is opened here is closed in the opposite order. */
export async function startPetstore(config: Config, clock: Clock, log: Log): Promise<Petstore> {
  await using building = new AsyncDisposableStack()

  const storage = building.use(await openConfiguredStorage(config, log))
  const first = config.platformHost === 'localhost' ? await firstStart(storage, clock.now()) : undefined
  const notices = building.use(new NoticeBoard(storage, clock))
  const usage = building.use(new UsageCounter(storage, clock))
  const verifier = new KeyVerifier(storage, clock, notices)
  const metrics = createMetrics()

  const cursorSecret = await settledValue(storage, 'cursor_secret', () => randomBytes(32).toString('base64url'))
  const operations = [
    ...petOperations({ storage, clock, cursorSecret }),
    ...orderOperations({ storage, clock, cursorSecret }),
  ]
  const baseUrls = { production: config.baseUrl.href, staging: config.stagingUrl.href }
  const contracts = operations.map((operation) => operation.contract)
  const document = JSON.stringify(openApiDocument(contracts, baseUrls))
  const api = await createApi({
    operations,
    baseUrls,
    documents: { '/openapi.json': { status: 200, body: document, etag: etagOf(document) } },
    storageVersion: () => storage.version(),
    authenticate: (authorization, environment) => verifier.authenticate(authorization, environment),
    rateLimiter: config.rateLimit && new RateLimiter(config.rateLimit, clock),
    nextRequestId: requestIds(),
    clock,
    observer: apiObserver(metrics, usage, log),
    documentationUrl: new URL('/docs', config.baseUrl).href,
  })
  building.defer(() => api.close())
  const countDomains = async () => 0
  const dashboard = building.use(
    await startDashboard({ config, storage, clock, log, metrics, notices, usage, contracts, cursorSecret, countDomains }),
  )

  await notices.start()
  usage.start()
  building.use(startHousekeeping(storage, clock, log))

  let draining = false
  const ready = async () => {
    if (draining) throw new Error('The service is shutting down.')
    await storage.read.selectFrom('settings').select('name').limit(1).execute()
  }
  building.use(await startAdmin({ port: config.adminPort, metrics, ready }))
  for (const listener of await openListeners(config, dispatch(api, dashboard))) building.use(listener)
  building.defer(() => {
    draining = true
  })

  const running = building.move()
  return {
    storage,
    notices,
    firstKeys: first?.keys,
    ownerLink: first && linkUrl(dashboardUrlOf(config), 'invitation', first.ownerToken),
    dashboardRoutes: dashboard.routes,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export function openConfiguredStorage(config: Config, log: Log): Promise<Storage> {
  return openStorage({
    dataDirectory: config.dataDirectory,
    databaseUrl: config.databaseUrl,
    migrations,
    onError: (error) => log.error({ err: error }, 'database connection lost'),
  })
}

function dispatch(api: Api, dashboard: DashboardApi): RequestHandler {
  return (request, response, destination) => {
    if (destination.kind === 'production' && request.url?.startsWith('/dashboard/api/')) {
      return dashboard.handle(request, response)
    }
    if (destination.kind === 'production' || destination.kind === 'staging') {
      return api.handle(request, response, destination.kind)
    }
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end('Nothing is published at this name.\n')
  }
}

/** One listener for each distinct port of the two addresses, on every address that the operator wants. */
async function openListeners(config: Config, handle: RequestHandler) {
  const ports = [...new Set([config.baseUrl, config.stagingUrl].filter((url) => url.protocol === 'http:').map(portOf))]
  const listeners = []
  for (const port of ports) {
    for (const address of config.listenOn) {
      try {
        listeners.push(await listen(address, port, hostResolver(config, 'http', port), handle))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // A machine without IPv6 is served on IPv4 alone.
        if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
        for (const listener of listeners) await listener[Symbol.asyncDispose]()
        throw code === 'EADDRINUSE' || code === 'EACCES' ? portTaken(port, code) : error
      }
    }
  }
  return listeners
}

function portTaken(port: number, code: string): StartError {
  const why = code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process'
  return new StartError(
    `Port ${port} ${why}. Stop that process, or choose other ports with PETSTORE_BASE_URL and PETSTORE_STAGING_URL.`,
  )
}
