import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { storageOf } from '../../src/features/audit/audited.ts'
import { SYSTEM } from '../../src/features/audit/record.ts'
import { createDnsCheck } from '../../src/features/domains/dns-check.ts'
import type { DomainsNeeds } from '../../src/features/domains/domains.ts'
import type { Expectation } from '../../src/features/domains/diagnosis/diagnose.ts'
import { checkDns, diagnosisIn } from '../../src/features/domains/observation/checked.ts'
import type { Subject } from '../../src/features/domains/observation/observation.ts'
import { CHECK_QUEUE } from '../../src/features/domains/queries.ts'
import { reconcileDomain } from '../../src/features/domains/reconcile.ts'
import { type ManualClock, SECOND_MS } from '../../src/platform/clock.ts'
import { PetstoreError } from '../../src/platform/errors.ts'
import { nameserverRules } from '../../src/platform/dns/network.ts'
import type { Zone } from '../../src/platform/dns/zone.ts'
import { Share } from '../../src/platform/share.ts'
import { WorkRunner } from '../../src/platform/work/runner.ts'
import { ns, NS1 } from '../harness/dns.ts'
import { openPacketDns } from './packet-dns.ts'
import { type DomainWorld, openDomainWorld } from './world.ts'

/** Where a hostname has to lead by address. */
export const EDGE = '192.0.2.1'

export interface PacketStage extends AsyncDisposable {
  readonly world: DomainWorld
  readonly verbs: DomainsNeeds
  /** A zone with its nameserver; its records are changed while it is served. */
  zone(apex: string): Zone
  /** Waits until nobody is to be looked at or to be looked at again, and lets a second pass. */
  settle(): Promise<void>
}

/**
 * The real verbs and the real reconciler, in front of nameservers that answer at once however busy the machine is;
 * nobody orders certificates.
 */
export async function openPacketStage(databaseUrl: string | undefined): Promise<PacketStage> {
  await using opening = new AsyncDisposableStack()
  const internet = openPacketDns()
  const world = opening.use(await openDomainWorld({ databaseUrl, idle: true, names: internet.names }))
  const { storage, clock, changes, config } = world
  const { network } = internet.names
  const asks = { dns: internet.dns, clock, resolvers: network.resolvers, ...nameserverRules(network) }
  const lookups = {
    check: (subject: Subject, expectation: Expectation) => checkDns(asks, subject, expectation),
    diagnosisOf: async (packed: string) => diagnosisIn(packed),
  }
  const plenty = () => new Share({ atOnce: 1e9, burst: 1e9, perMinute: 1e9 }, clock)
  const shares = { verify: plenty(), questions: plenty(), live: plenty() }
  const check = createDnsCheck({
    lookups,
    shares,
    addresses: [EDGE],
    challengeZone: undefined,
    caa: async () => undefined,
  })
  const audited = storageOf(storage, SYSTEM, clock)
  const reconciler = {
    storage,
    audited,
    clock,
    check,
    certificatesOf: world.verbs.certificatesOf,
    shares,
    platformHost: config.platformHost,
    watchMove: async () => {},
  }
  const runner = opening.use(
    new WorkRunner({
      storage,
      clock,
      changes,
      queue: CHECK_QUEUE,
      concurrency: 16,
      handle: (lease, signal) => reconcileDomain(reconciler, lease, signal),
      // In a crowd a turn may come too late: nothing is changed, and it is looked at again a second later.
      onError: (error) => isTooLate(error) || world.errors.push(error),
    }),
  )
  runner.start()
  const addressesOf = async () => ({ v4: [EDGE], v6: [] })
  const verbs = { ...world.verbs, check, shares, addressesOf, diagnosisOf: lookups.diagnosisOf }
  const open = opening.move()
  return {
    world,
    verbs,
    zone(apex) {
      const zone: Zone = { apex, serial: 1, records: [ns(apex, NS1)] }
      internet.zones.set(apex, zone)
      return zone
    },
    async settle() {
      await changes.catchUp()
      do {
        while ((await checks(world).where('due_at', '<=', clock.now()).execute()).length > 0) await wait(2)
        assert.deepEqual(world.errors, [])
        ;(clock as ManualClock).advance(SECOND_MS)
      } while ((await checks(world).where('failures', '>', 0).execute()).length > 0)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const checks = ({ storage }: DomainWorld) =>
  storage.read.selectFrom('work').select('subject').where('queue', '=', CHECK_QUEUE).limit(1)

/** The database was too busy, and says so. */
export const isTooLate = (error: unknown) => error instanceof PetstoreError && error.code === 'unavailable'
