import type { MessagePort } from 'node:worker_threads'
import type { Config } from './config.ts'
import { requireNodeInternals } from './edge/node-internals.ts'
import { linkUrl } from './features/accounts/links.ts'
import { openInstallationCa } from './features/certificates/authority/installation-ca.ts'
import { openVault } from './features/certificates/open-vault.ts'
import { certificateLookups } from './features/certificates/serving.ts'
import { openSigningKey } from './features/domains/connect/signing-key.ts'
import { readTrialLabel } from './features/domains/switch/trial-link.ts'
import { countDomains } from './features/domains/queries.ts'
import { UsageCounter } from './features/keys/usage.ts'
import { KeyVerifier } from './features/keys/verify.ts'
import { Suspensions } from './features/projects/suspensions.ts'
import { RequestCounter } from './features/requests/counter.ts'
import { startAdmin } from './pages/admin.ts'
import { revocationListUrl } from './pages/revocation-list.ts'
import { type Dashboard, dashboardUrlOf, startDashboard } from './platform-api/dashboard.ts'
import { ProgramChanges } from './platform-api/program-changes.ts'
import type { Clock } from './platform/clock.ts'
import { createHttpApp } from './platform/http/app.ts'
import { createCursors } from './platform/http/lists/cursor.ts'
import { requestIds } from './platform/http/request-id.ts'
import { LimitExchange } from './platform/limits/exchange.ts'
import type { Log } from './platform/log.ts'
import { createMailer } from './platform/mail.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { ChangeFeed } from './platform/storage/change-feed.ts'
import { readiness } from './platform/storage/readiness.ts'
import { settledSecret } from './platform/storage/setting.ts'
import type { Storage } from './platform/storage/storage.ts'
import { joinInstances } from './platform/work/instances.ts'
import { noticeOtherAddresses } from './platform/work/other-addresses.ts'
import { openAccountMail } from './service/account-mail.ts'
import { openAnimals } from './service/animals.ts'
import { authoritiesOf, openCertificateAuthority } from './service/certificate-authority.ts'
import { openChallenges } from './service/challenges.ts'
import { type CustomDomains, openCustomDomains } from './service/custom-domains.ts'
import { type FirstKeys, firstStart } from './service/first-start.ts'
import { openFrontDoor, type SharedDoor } from './service/front-door.ts'
import { startHousekeeping } from './service/housekeeping.ts'
import { openNameService } from './service/name-service.ts'
import { sandboxProvider } from './service/sandbox-provider.ts'
import { apiObserver } from './service/observer.ts'
import { type OwnAddresses, ownAddresses } from './service/own-addresses.ts'
import { openPlatformNames } from './service/platform-names.ts'
import { openPresence } from './service/presence.ts'
import { startPublishing } from './service/publishing.ts'
import { openWebhooks } from './service/webhooks.ts'
import { openRecordRooms } from './service/record-rooms.ts'
import { openWatching } from './service/watching.ts'
import { openConfiguredStorage } from './service/database.ts'

export interface Petstore extends AsyncDisposable {
  readonly storage: Storage
  readonly changes: ChangeFeed
  /** Present on the start that created the first project. */
  readonly firstKeys: FirstKeys | undefined
  /** Creates the owner's account, once; present together with the first keys. */
  readonly ownerLink: string | undefined
  readonly dashboardRoutes: Dashboard['routes']
  /** Is told what became of the build of its pages. */
  readonly dashboardPages: OwnAddresses['dashboard']
  readonly domains: CustomDomains
  /** Of the internal CA, in PEM; made when it is first asked for. */
  rootPem(): Promise<string>
  /** Resolves with the reason when nothing can be stored any more: the process has to end then. */
  readonly failed: Promise<Error>
  readonly metrics: Metrics
  /** Resolves while requests can be answered; rejects with the reason otherwise. */
  ready(): Promise<void>
  /** Once it resolves nobody new is connected; whoever is, is served as ever. */
  stopAccepting(): Promise<void>
  /** Begins the work in the background, which one worker does for all: for one that has been started as a worker. */
  lead(): Promise<void>
}

/** What the workers of one service have in common. */
export interface Shared extends SharedDoor {
  /** Leads to their writer thread, on SQLite. */
  writer: MessagePort | undefined
  /** Each worker's part of the connections to PostgreSQL. */
  connectionsMax: number
}

/** The service cannot do this for people: their DNS records, browsers and programs have the old addresses. */
const MOVED =
  'The addresses are others than at the last start. Passkeys of another host, records that lead to the old platform ' +
  'host, and programs that call the old address need their people: see “Another address” in docs/operating.md.'

/**
 * Builds the whole service, from the bottom up; what is opened here is closed in the opposite order. As one worker of
 * several it shares its ports, and leaves the admin port and the choice of who leads to whoever started it.
 */
export async function startPetstore(config: Config, clock: Clock, log: Log, worker?: Shared): Promise<Petstore> {
  requireNodeInternals()
  await using building = new AsyncDisposableStack()

  const failure = Promise.withResolvers<Error>()
  const stopping = new AbortController()
  const metrics = createMetrics()
  let stage: 'starting' | 'serving' | 'shutting down' = 'starting'
  const ready = async () => {
    if (stage !== 'serving') throw new Error(`The service is ${stage}.`)
    await answersAndStores()
  }
  // Before the database: whoever asks whether the service lives must not end it while it brings the schema up to date.
  if (!worker) building.use(await startAdmin({ config, metrics, ready }))
  const storage = building.use(await openConfiguredStorage(config, log, { onDeath: failure.resolve, ...worker }))
  if (storage.engine === 'sqlite') building.use(joinInstances(storage, config.dataDirectory))
  const vault = await openVault(storage, config)
  const changes = building.use(new ChangeFeed(storage, clock))
  const usage = building.use(new UsageCounter(storage, clock))
  const requests = building.use(new RequestCounter(storage, clock))
  const programs = storage.engine === 'postgres' ? building.use(new ProgramChanges(storage, clock)) : undefined
  const suspensions = new Suspensions(storage, changes)
  const isSuspended = (projectId: number) => suspensions.of(projectId) !== undefined
  const isAlone = storage.engine === 'sqlite' && !worker
  const limits = isAlone ? undefined : building.use(new LimitExchange({ storage, clock, log }))

  const cursors = createCursors(await settledSecret(storage, 'cursor_secret'), storage.engine)
  const rooms = openRecordRooms({ storage, clock })
  const { api, contracts, openapiDocument } = openAnimals({
    config,
    storage,
    clock,
    metrics,
    verifier: new KeyVerifier(storage, clock, changes),
    suspensions,
    cursors,
    rooms,
    limits,
    answered: apiObserver({ metrics, usage, requests, log, programs }),
  })
  const publishing = building.use(startPublishing({ config, storage, clock, changes, log, metrics, openapiDocument }))
  const { uploads, publishStarter } = publishing
  const random = Math.random
  const send = config.smtp && building.use(createMailer(config.smtp))
  const connectKey =
    config.domainConnect === 'off'
      ? undefined
      : await openSigningKey({ storage, sealer: vault, keyFile: config.domainConnectKeyFile })
  const trialSecret = await settledSecret(storage, 'trial_secret')
  const names = building.use(await openNameService({ config, storage, clock, changes, log, connectKey }))
  const ca = openInstallationCa({ storage, clock, vault, crlUrl: revocationListUrl(config) })
  const authority = await openCertificateAuthority({
    config,
    storage,
    clock,
    vault,
    ca,
    random,
    onProblem: (sentence) => log.warn(sentence),
  })
  const platformNames = building.use(
    await openPlatformNames({
      config,
      storage,
      clock,
      changes,
      log,
      vault,
      ca,
      sites: publishing.sites,
      isTrial: (label) => readTrialLabel(trialSecret, label, clock.now()) !== undefined,
    }),
  )
  const dns = building.use(await openChallenges({ config, storage, clock, log, metrics, isShared: !!worker }))
  const certificates = certificateLookups({ storage, vault, clock })
  const domains = building.use(
    openCustomDomains({
      config,
      storage,
      clock,
      changes,
      log,
      vault,
      certificates,
      names,
      challengeZone: dns.zone,
      authority,
      platformNames,
      random,
      trialSecret,
      connectKey,
      send,
    }),
  )
  const accountMail = building.use(openAccountMail({ config, storage, clock, changes, log, sealer: vault, send }))
  const { addressesOf, trustedPem } = domains.verbNeeds.served
  const sending = { addressesOf, trustedPem }
  const webhooks = building.use(
    openWebhooks({ config, storage, clock, changes, log, isSuspended, sealer: vault, random, sending }),
  )
  const dashboard = building.use(
    await startDashboard({
      config,
      storage,
      clock,
      log,
      metrics,
      changes,
      usage,
      requests,
      suspensions,
      contracts,
      cursors,
      rooms,
      uploads,
      publishStarter,
      limits,
      sealer: vault,
      stopping: stopping.signal,
      domains: domains.verbNeeds,
      sandboxProvider: sandboxProvider(config, domains),
      authorities: authoritiesOf(authority),
      platformNames,
      countDomains: (projectId) => countDomains(storage.read, projectId),
    }),
  )
  const interfaces = createHttpApp([api, dashboard.api], requestIds(), clock)
  const documents = { animals: openapiDocument, management: dashboard.document }
  const own = ownAddresses({ config, clock, interfaces, ca, documents, log })

  await changes.start()
  // Not before: what changes in between would be missed.
  await suspensions.load()
  usage.start()
  requests.start()
  limits?.start()
  const presence = building.use(await openPresence({ config, storage, clock, log, metrics, requests }))
  const background = building.use(new AsyncDisposableStack())
  const lead = async () => {
    await domains.start()
    accountMail.start()
    webhooks.start()
    publishing.startCollecting()
    publishing.renewStarters()
    background.use(startHousekeeping({ config, storage, clock, log }))
    background.use(openWatching({ config, storage, clock, log, platformNames }))
    // Only with open ports can an authority come and look.
    await platformNames.orderAddresses()
    await noticeOtherAddresses({
      storage,
      addresses: {
        production: config.baseUrl.href,
        staging: config.stagingUrl.href,
        platformHost: config.platformHost,
      },
      onMove: (before) => log.warn({ before }, MOVED),
    })
    await presence.lead()
  }

  const answersAndStores = readiness(storage, clock)
  const door = building.use(
    await openFrontDoor({
      config,
      clock,
      changes,
      log,
      metrics,
      certificates,
      platformNames,
      publishing,
      domains: domains.source,
      visited: (...visit) => requests.visit(...visit),
      isSuspended,
      own: own.handle,
      sharedWith: worker,
    }),
  )
  if (!worker) await lead()
  // Only now: a start that fails because a port is taken must not use up secrets that are shown once.
  const first = config.platformHost === 'localhost' ? await firstStart(storage, clock.now()) : undefined
  if (first) await publishStarter()
  stage = 'serving'
  building.defer(() => {
    stage = 'shutting down'
    stopping.abort()
  })

  const running = building.move()
  return {
    storage,
    changes,
    firstKeys: first?.keys,
    ownerLink: first && linkUrl(dashboardUrlOf(config), 'invitation', first.ownerToken),
    dashboardRoutes: dashboard.routes,
    dashboardPages: own.dashboard,
    domains,
    rootPem: ca.rootPem,
    failed: failure.promise,
    metrics,
    ready,
    stopAccepting: door.stopAccepting,
    lead,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
