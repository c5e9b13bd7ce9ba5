import { storageOf } from '../features/audit/audited.ts'
import { authoritiesOf, type CertificateAuthority } from './certificate-authority.ts'
import type { Config } from '../config.ts'
import { dashboardUrlOf, siteUrl } from '../platform-api/dashboard.ts'
import type { DomainSource } from '../edge/requests.ts'
import { findShareHolder, listMembersOfProject } from '../features/accounts/queries.ts'
import { noticesByMail } from '../features/accounts/mail/notices.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { certificateViews } from '../features/certificates/view.ts'
import { instanceViews } from '../features/certificates/watching/view.ts'
import type { IssuanceProblem } from '../features/certificates/issuer.ts'
import { firstToOpen, roomsFor } from '../features/certificates/choice/room.ts'
import type { BudgetRequest } from '../features/certificates/budget/budget.ts'
import { requestOf } from '../features/certificates/order/attempt.ts'
import { findNewestCertificate } from '../features/certificates/queries.ts'
import { createPreflight, type PreflightSubject } from '../features/certificates/preflight.ts'
import { ForeignCertificates } from '../features/certificates/foreign.ts'
import { reconcileCertificate } from '../features/certificates/reconcile.ts'
import type { CertificateLookups } from '../features/certificates/serving.ts'
import type { Vault } from '../features/certificates/vault.ts'
import { findActiveDeploy } from '../features/deploys/queries.ts'
import { rememberAddresses } from '../features/domains/observation/addresses.ts'
import { type LookupThread, openLookups, openLookupThread } from '../features/domains/observation/lookups.ts'
import type { ConnectNeeds } from '../features/domains/connect/apply.ts'
import { openConnect } from '../features/domains/connect/connect.ts'
import type { SigningKey } from '../features/domains/connect/signing-key.ts'
import { watchMoves } from '../features/domains/switch/move-writes.ts'
import type { SpreadNeeds } from '../features/domains/switch/spread.ts'
import { createDnsCheck } from '../features/domains/dns-check.ts'
import type { DomainsNeeds } from '../features/domains/domains.ts'
import { mailMember, mailNotification, MEMBER_MAIL_QUEUE } from '../features/domains/notifications/mail.ts'
import { CERTIFICATE_QUEUE } from '../features/domains/topics.ts'
import { MAIL_QUEUE } from '../features/domains/notifications/notifications.ts'
import { CHECK_QUEUE, findDomainById, findServedDomain } from '../features/domains/queries.ts'
import type { ChallengeZone } from '../features/domains/preparation/challenge-zone.ts'
import { openDomainShares } from '../features/domains/observation/shares.ts'
import { reconcileDomain } from '../features/domains/reconcile.ts'
import { findProjectById } from '../features/projects/queries.ts'
import { domainSource } from './domain-source.ts'
import { loopbackAddresses, namedResolvers, type NameService } from './name-service.ts'
import type { PlatformNames } from './platform-names.ts'
import type { Clock } from '../platform/clock.ts'
import { notFound } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { SendMail } from '../platform/mail.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Lease } from '../platform/work/lease.ts'
import { WorkRunner, type WorkRunnerNeeds } from '../platform/work/runner.ts'
import { publicPorts } from '../platform-api/public-addresses.ts'

interface CustomDomainsNeeds {
  config: Pick<Config, ConfigName>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  vault: Vault
  /** Which hostnames can be served over TLS. */
  certificates: Pick<CertificateLookups, 'hasCertificate'>
  names: NameService
  /** Undefined where this installation answers for no zone. */
  challengeZone: ChallengeZone | undefined
  authority: CertificateAuthority
  /** The platform's own names: their certificates are ordered and renewed by the same hands. */
  platformNames: Pick<PlatformNames, 'isOrdered' | 'ownerOf'>
  random: () => number
  /** Signs links to try a domain. */
  trialSecret: string
  /** Undefined where Domain Connect is off. */
  connectKey: SigningKey | undefined
  /** Undefined where no mail server is configured. */
  send: SendMail | undefined
}

type ConfigName =
  | 'baseUrl'
  | 'stagingUrl'
  | 'httpsPort'
  | 'platformHost'
  | 'listenOn'
  | 'sandbox'
  | 'domainConnect'
  | 'resolvers'

interface CustomDomainsOptions {
  /** How long work stays with an instance that has gone silent. */
  leaseMs?: number
  /** One of its own unless it is given. */
  lookupThread?: LookupThread
}

export interface CustomDomains extends AsyncDisposable {
  /** What the verbs need beside the storage of whoever calls them. */
  readonly verbNeeds: Omit<DomainsNeeds & SpreadNeeds & ConnectNeeds, 'storage'>
  /** The TXT records at a name, as any provider would ask for them. */
  readonly textsAt: (name: string) => Promise<string[]>
  /** For the edge: at once what it knows. */
  readonly source: DomainSource
  /** Begins to work on what is due. */
  start(): Promise<void>
}

const CHECKS_AT_ONCE = 16
/** Nameservers that never answer hold a place for ten seconds, and one person may have many projects. */
const CHECKS_OF_OWNER = 8
const ORDERS_AT_ONCE = 16
/** One that its authority does not finish holds a place for two minutes, which whoever has its DNS can bring about. */
const ORDERS_OF_OWNER = 8
const MAILS_AT_ONCE = 2

export function openCustomDomains(needs: CustomDomainsNeeds, options: CustomDomainsOptions = {}): CustomDomains {
  const { config, storage, clock, changes, log, vault, names, authority, platformNames, random, send } = needs
  const { challengeZone } = needs
  const { platformHost } = config
  const ended = (error: unknown) => log.error({ err: error }, 'the thread of DNS look-ups ended')
  const thread = options.lookupThread ?? openLookupThread(ended)
  const lookups = openLookups({ clock, network: names.network, thread })
  const shares = openDomainShares(clock)
  const sandboxAddresses = config.sandbox ? loopbackAddresses(config) : { v4: [], v6: [] }
  const own = [...sandboxAddresses.v4, ...sandboxAddresses.v6]
  const check = createDnsCheck({ lookups, shares, addresses: own, challengeZone, caa: authority.caa })
  const addressesOf = rememberAddresses(clock, lookups.addresses)
  const audited = storageOf(storage, SYSTEM, clock, send && noticesByMail(dashboardUrlOf(config)))
  const served = {
    clock,
    addressesOf,
    own: { addresses: own, ports: publicPorts(config) },
    trustedPem: authority.rootsPem,
  }
  const connect =
    needs.connectKey &&
    openConnect({
      clock,
      lookups,
      shares,
      served,
      addressesOf,
      platformHost,
      challengeApex: challengeZone?.apex,
      providerId: config.domainConnect,
      dashboardUrl: dashboardUrlOf(config),
      plainOrigin: config.sandbox ? dashboardUrlOf(config) : undefined,
      key: needs.connectKey,
    })

  const run = (
    queue: string,
    concurrency: number,
    handle: (lease: Lease, signal: AbortSignal) => Promise<void>,
    share?: WorkRunnerNeeds['share'],
  ) =>
    new WorkRunner({
      storage,
      clock,
      changes,
      queue,
      concurrency,
      share,
      ...options,
      // What the work has announced is known here at once, such as that a certificate is wanted now.
      handle: async (lease, signal) => {
        await handle(lease, signal)
        await changes.catchUp()
      },
      onError: (error, lease) => log.error({ err: error, queue, subject: lease?.subject }, 'work could not be done'),
    })
  const watchMove = watchMoves({ storage, clock })
  const resolvers = namedResolvers(config, names.network)
  const authorities = authoritiesOf(authority)
  const certificatesOf = certificateViews({ storage, clock, issuers: authorities.map(({ issuer }) => issuer.id) })
  const domainReconciler = { storage, audited, clock, check, certificatesOf, shares, platformHost, watchMove }
  const preflight = createPreflight({ storage, challengeZone, check, platformHost })
  const certificates = {
    storage,
    audited,
    clock,
    random,
    vault,
    authorities,
    preflight,
    holderOf: (name: PreflightSubject) => holderOf(platformNames, name),
    isPlatformName: platformNames.isOrdered,
    onOperatorProblem: (hostname: string, { code, message, detail }: IssuanceProblem) =>
      log.warn({ hostname, code, detail }, message),
  }
  const notificationMailer = {
    storage,
    clock,
    send,
    mailDomain: platformHost,
    recipientsOf: async (projectId: number) => {
      const members = await listMembersOfProject(storage.read, projectId)
      return members.filter(({ role }) => role !== 'viewer')
    },
    domainUrl: async (projectId: number) => {
      const project = await findProjectById(storage.read, projectId)
      return `${dashboardUrlOf(config)}/projects/${project?.slug}/domains`
    },
    onError: (error: unknown) => log.warn({ err: error }, 'a mail could not be sent'),
  }
  const runners = [
    run(CHECK_QUEUE, CHECKS_AT_ONCE, (lease, signal) => reconcileDomain(domainReconciler, lease, signal), {
      async holderOf(id) {
        const domain = await findDomainById(storage.read, id)
        return domain ? findShareHolder(storage.read, domain.project_id) : id
      },
      placesMax: CHECKS_OF_OWNER,
    }),
    run(CERTIFICATE_QUEUE, ORDERS_AT_ONCE, (lease, signal) => reconcileCertificate(certificates, lease, signal), {
      async holderOf(hostname) {
        const [domain] = await findServedDomain(storage.read, { hostname })
        if (domain) return findShareHolder(storage.read, domain.project_id)
        return (await platformNames.ownerOf(hostname)) ?? hostname
      },
      placesMax: ORDERS_OF_OWNER,
    }),
    run(MAIL_QUEUE, MAILS_AT_ONCE, (lease) => mailNotification(notificationMailer, lease)),
    run(MEMBER_MAIL_QUEUE, MAILS_AT_ONCE, (lease) => mailMember(notificationMailer, lease)),
  ]
  const foreign = new ForeignCertificates({
    storage,
    clock,
    issuers: authorities.map(({ issuer }) => issuer.id),
    onError: (error) => log.warn({ err: error }, 'certificates of other authorities could not be looked for'),
  })

  return {
    source: domainSource(needs),
    verbNeeds: {
      clock,
      changes,
      platformHost,
      challengeZone,
      addressesOf,
      diagnosisOf: lookups.diagnosisOf,
      check,
      shares,
      ownNames: [config.baseUrl.hostname, config.stagingUrl.hostname],
      certificatesOf,
      instancesOf: instanceViews({ storage }),
      projectFacts: (projectId) => projectFacts(storage, projectId),
      budgetOf: (name) => budgetOf(needs, name),
      served,
      connect,
      watchMove,
      trial: { secret: needs.trialSecret, urlOf: (label) => siteUrl(config, label) },
      askResolvers: (hostname) => lookups.askResolvers(hostname, resolvers),
    },
    textsAt: lookups.texts,
    async start() {
      for (const runner of runners) runner.start()
      await foreign.start()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([foreign, ...runners].map((each) => each[Symbol.asyncDispose]()))
      await lookups[Symbol.asyncDispose]()
    },
  }
}

/** The names of the platform are its owners' projects: their share counts by account, which may have many of them. */
async function holderOf(
  platformNames: Pick<PlatformNames, 'ownerOf'>,
  { hostname, projectId }: PreflightSubject,
): Promise<BudgetRequest['holder']> {
  if (projectId !== undefined) return { share: 'ordersPerProject', id: String(projectId) }
  const owner = await platformNames.ownerOf(hostname)
  return owner === undefined ? undefined : { share: 'platformNamesPerAccount', id: owner }
}

type BudgetNeeds = Pick<CustomDomainsNeeds, 'storage' | 'clock' | 'authority'>

async function budgetOf({ storage, clock, authority }: BudgetNeeds, { hostname, projectId }: PreflightSubject) {
  const now = clock.now()
  const predecessor = await findNewestCertificate(storage.read, hostname)
  const holder = { share: 'ordersPerProject' as const, id: String(projectId) }
  const attempt = { predecessor, nextByItself: now }
  const wishAt = (issuer: string) => requestOf(hostname, attempt, { issuer, holder, now })
  const rooms = await roomsFor(storage.read, authoritiesOf(authority), wishAt, now)
  if (rooms.some((room) => !('refusal' in room))) return { allowed: true as const }
  const { refusal } = firstToOpen(rooms)
  return { ...refusal, isTold: refusal.decidedBy.limit === 'retryAfter' }
}

async function projectFacts(storage: Storage, projectId: number) {
  const project = await findProjectById(storage.read, projectId)
  if (!project) throw notFound('This project has been deleted.')
  const active = await findActiveDeploy(storage.read, projectId)
  return { plan: project.plan, deployed: active !== undefined && active.source !== 'starter' }
}
