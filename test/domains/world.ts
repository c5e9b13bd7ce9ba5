import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { storageOf } from '../../src/features/audit/audited.ts'
import { type CertificateAuthority, openCertificateAuthority } from '../../src/service/certificate-authority.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { type CustomDomains, openCustomDomains } from '../../src/service/custom-domains.ts'
import type { Actor } from '../../src/platform/storage/audit-note.ts'
import { certificateLookups, type CertificateLookups } from '../../src/features/certificates/serving.ts'
import { openInstallationCa } from '../../src/features/certificates/authority/installation-ca.ts'
import { createVault, type Vault } from '../../src/features/certificates/vault.ts'
import {
  addDomain,
  type DomainActor,
  type DomainsNeeds,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { openChallengeZone } from '../../src/features/domains/preparation/challenge-zone.ts'
import type { DomainDetails } from '../../src/features/domains/view.ts'
import { type LookupThread, openLookupThread } from '../../src/features/domains/observation/lookups.ts'
import { openSigningKey } from '../../src/features/domains/connect/signing-key.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { addRecord, removeRecord, type SandboxNeeds, listSandbox } from '../../src/features/sandbox/sandbox.ts'
import { migrations } from '../../src/migrations.ts'
import { type NameService, openNameService } from '../../src/service/name-service.ts'
import { type Clock, ManualClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMailer } from '../../src/platform/mail.ts'
import { ChangeFeed } from '../../src/platform/storage/change-feed.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { layOutSchema } from '../harness/schema.ts'
import { HUNG_AFTER_MS } from '../harness/until.ts'

export const OPENING = Date.UTC(2026, 10, 15, 9, 30)

/** Who owns every project that has a name of the platform. */
export const PLATFORM_OWNER = 'acc_ada'

export const ADA: Actor = { kind: 'account', id: 'acc_ada', name: 'ada@example.com' }

export interface DomainWorld extends AsyncDisposable {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly vault: Vault
  readonly changes: ChangeFeed
  readonly names: NameService
  readonly domains: CustomDomains
  readonly certificates: CertificateLookups
  /** As Ada, whose name stands in the audit log. */
  readonly verbs: DomainsNeeds & CustomDomains['verbNeeds']
  readonly sandbox: SandboxNeeds
  /** What the log has been told. */
  readonly errors: unknown[]
  project(): Promise<DomainActor>
  /** Waits until nothing is due any more. */
  settle(): Promise<void>
  /** Moves the clock, in steps small enough for what becomes due to happen when it is. */
  pass(ms: number, stepMs?: number): Promise<void>
}

export interface WorldOptions {
  databaseUrl?: string | undefined
  dataDirectory?: string
  clock?: Clock
  environment?: Record<string, string>
  names?: NameService
  authority?: (parts: { storage: Storage; clock: Clock; vault: Vault }) => Promise<CertificateAuthority>
  leaseMs?: number
  /** Nobody works: the test does it. */
  idle?: boolean
  facts?: DomainsNeeds['projectFacts']
  random?: () => number
  isPlatformName?: (hostname: string) => Promise<boolean>
}

/** When to look again whether anything is due. */
const SETTLING = { firstMs: 3, mostMs: 30 }

const MASTER_KEY = Buffer.alloc(32, 7)
let projects = 0

/** Storage, DNS, issuer and reconcilers of one instance, without listeners. */
export async function openDomainWorld(options: WorldOptions = {}): Promise<DomainWorld> {
  await using building = new AsyncDisposableStack()
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'petstore-domains-'))
  if (!options.dataDirectory) building.defer(() => rmSync(dataDirectory, { recursive: true, force: true }))
  if (!options.dataDirectory && !options.databaseUrl) layOutSchema(dataDirectory)
  const config = readConfig({ PETSTORE_DATA: dataDirectory, PETSTORE_LISTEN: '127.0.0.1', ...options.environment })
  const clock = options.clock ?? new ManualClock(OPENING)
  const errors: unknown[] = []
  const log = Object.assign(createLog('silent'), {
    error: (line: { err: unknown }) => errors.push(line.err),
    warn: (line: { err?: unknown }) => errors.push(line.err ?? line),
  })
  const storage = building.use(
    await openStorage({ dataDirectory, databaseUrl: options.databaseUrl, migrations, onError: () => {} }),
  )
  const changes = building.use(new ChangeFeed(storage, clock))
  const vault = createVault(MASTER_KEY)
  const random = options.random ?? (() => 0.5)
  const connectKey = await openSigningKey({ storage, sealer: vault, keyFile: undefined })
  const names =
    options.names ?? building.use(await openNameService({ config, storage, clock, changes, log, connectKey }))
  const ca = openInstallationCa({ storage, clock, vault, crlUrl: undefined })
  const authority = await (options.authority?.({ storage, clock, vault }) ??
    openCertificateAuthority({ config, storage, clock, vault, ca, random }))
  const lease = options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }
  const lookupThread = shareLookupThread((error) => errors.push(error))
  const platformNames = {
    isOrdered: options.isPlatformName ?? (async () => false),
    ownerOf: async () => PLATFORM_OWNER,
  }
  const certificates = certificateLookups({ storage, vault, clock })
  const send = config.smtp && building.use(createMailer(config.smtp))
  const challengeZone = config.dnsZone && openChallengeZone(config.dnsZone.zone, 'a secret of the tests')
  const rest = { certificates, names, challengeZone, authority, platformNames, random }
  const parts = { config, storage, clock, changes, log, vault, ...rest }
  const custom = { ...parts, trialSecret: 'trial', connectKey, send }
  const domains = building.use(openCustomDomains(custom, { ...lease, lookupThread }))
  await changes.start()
  if (!options.idle) await domains.start()

  const asAda = storageOf(storage, ADA, clock)
  const projectFacts = options.facts ?? (async () => ({ plan: 'pro' as const, deployed: true }))
  const settle = async () => {
    const hungAt = performance.now() + HUNG_AFTER_MS
    let pauseMs = SETTLING.firstMs
    for (let quiet = 0; quiet < 3;) {
      await changes.catchUp()
      const due = await dueWork(storage, clock.now())
      assert.ok(performance.now() < hungAt, `work is still due: ${JSON.stringify(due)} ${errors.join(' ')}`)
      quiet = due.length === 0 ? quiet + 1 : 0
      pauseMs = Math.min(pauseMs * 1.3, SETTLING.mostMs)
      await wait(quiet > 0 ? 1 : pauseMs)
    }
  }
  const running = building.move()
  return {
    config,
    storage,
    clock,
    vault,
    changes,
    names,
    domains,
    errors,
    settle,
    certificates,
    verbs: { ...domains.verbNeeds, storage: asAda, projectFacts },
    sandbox: { storage: asAda, clock, changes },
    async project() {
      const { id } = await createProject({ storage, clock }, { slug: `shop-${process.pid}-${++projects}`, plan: 'pro' })
      return { projectId: id, role: 'owner' }
    },
    async pass(ms, stepMs = ms) {
      for (let left = ms; left > 0; left -= stepMs) {
        ;(clock as ManualClock).advance(Math.min(left, stepMs))
        await settle()
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

let lookups: LookupThread | undefined
let worldsOpened = 0
/** Those that are open now. */
const worlds = new Set<(error: unknown) => void>()
/** An old thread looks through its memory many times a second, which takes more than a new one costs. */
const WORLDS_OF_A_THREAD = 16

/**
 * The thread of lookups of this process, which waits for the next world when one is closed: to start one, and to
 * compile anew in it what takes answers apart, takes a fifth of a second of the processor.
 */
function shareLookupThread(onError: (error: unknown) => void): LookupThread {
  const shared = (lookups ??= openLookupThread((error) => worlds.forEach((tell) => tell(error))))
  worldsOpened++
  worlds.add(onError)
  return {
    run: (request) => shared.run(request),
    async [Symbol.asyncDispose]() {
      worlds.delete(onError)
      if (worlds.size > 0 || worldsOpened < WORLDS_OF_A_THREAD) return
      worldsOpened = 0
      lookups = undefined
      await shared[Symbol.asyncDispose]()
    },
  }
}

const dueWork = (storage: Storage, now: number) =>
  storage.read.selectFrom('work').select(['queue', 'subject', 'due_at', 'owner']).where('due_at', '<=', now).execute()

/** Does what the dashboard shows: creates the record in the sandbox. */
export async function createShownRecord(world: DomainWorld, { record }: DomainDetails): Promise<void> {
  const all = [record.record, ...(record.proof ? [record.proof] : [])]
  for (const { type, fullName, value, ttl } of all) {
    const apex = (await listSandbox(world.sandbox)).find((zone) => fullName.endsWith(zone.apex))?.apex as string
    await addRecord(world.sandbox, { apex, name: `${fullName}.`, type, value, ttl })
  }
}

/** A record of example.test. */
export const point = (world: DomainWorld, name: string, type: string, value: string) =>
  addRecord(world.sandbox, { apex: 'example.test', name, type, value })

export async function clearZone(world: DomainWorld, apex: string): Promise<void> {
  const zone = (await listSandbox(world.sandbox)).find((each) => each.apex === apex)
  for (const { id } of zone?.records ?? []) await removeRecord(world.sandbox, { apex, id })
}

/** Add, record, Verify, certificate. */
export async function makeLive(world: DomainWorld, actor: DomainActor, hostname: string): Promise<DomainDetails> {
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname }))
  await verifyDomain(world.verbs, actor, hostname)
  await world.settle()
  const domain = await showDomain(world.verbs, actor, hostname)
  assert.equal(domain.state, 'live', `${JSON.stringify(domain.lastCheck?.problems)} ${world.errors.join(' ')}`)
  return domain
}
