import type { Clock } from '../../platform/clock.ts'
import { type LoopbackDns, startLoopbackDns } from '../../platform/dns/loopback.ts'
import type { FaultKind, Zone, ZoneFault, ZoneRecord } from '../../platform/dns/zone.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { listFaults, listRecords, listZones } from './queries.ts'
import { insertZone, SANDBOX_TOPIC } from './writes.ts'

export const SANDBOX_NAMESERVERS = ['ns1.registrar.test', 'ns2.registrar.test'] as const
const SANDBOX_ZONES = ['example.test', 'my-shop.test'] as const

const TTL_SECONDS = 3600

export interface RegistrarNeeds {
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  /** Its names resolve to loopback, where the edge of this installation listens. */
  platformHost: string
  /** The zone for challenges, which is there and empty: the internal CA asks for none. */
  challengeApex: string | undefined
  /** Where the edge listens. */
  addresses: { v4: readonly string[]; v6: readonly string[] }
  /** Domain Connect: where the registrar can be talked to, and the key that the platform publishes. */
  connect: RegistrarConnect | undefined
  onError(error: unknown): void
}

interface RegistrarConnect {
  prefix: string
  keyName: string
  keyTexts(): readonly string[]
}

/** The DNS of the rehearsal: the platform's own zone, and those that people edit. Runs on loopback alone. */
export async function startRegistrar(needs: RegistrarNeeds): Promise<LoopbackDns> {
  const { storage, clock, changes, connect, onError } = needs
  await seed(storage, clock.now())
  let zones: Promise<Zone[]> | undefined
  changes.on(SANDBOX_TOPIC, () => {
    zones = undefined
  })
  const challenges = needs.challengeApex === undefined ? [] : [emptyZone(needs.challengeApex)]
  return startLoopbackDns({
    clock,
    nameservers: SANDBOX_NAMESERVERS,
    onError,
    zones: async () => {
      zones ??= readZones(storage, connect)
      zones.catch(() => {
        zones = undefined
      })
      return [platformZone(needs), ...challenges, ...(await zones)]
    },
  })
}

async function seed(storage: Storage, now: number): Promise<void> {
  if ((await listZones(storage.read)).length > 0) return
  for (const apex of SANDBOX_ZONES) await storage.write(insertZone, { apex, now })
}

async function readZones(storage: Storage, connect: RegistrarConnect | undefined): Promise<Zone[]> {
  const [zones, records, faults] = await Promise.all([
    listZones(storage.read),
    listRecords(storage.read),
    listFaults(storage.read),
  ])
  return zones.map(({ apex, serial }) => ({
    apex,
    serial,
    records: [
      ...nameserverRecords(apex),
      ...providerRecord(apex, connect),
      ...records.filter((row) => row.apex === apex).map(zoneRecord),
    ],
    faults: faults.filter((row) => row.apex === apex).map(zoneFault),
  }))
}

/** `*.localhost`: sites of projects and the targets that domains point to. */
function platformZone({ platformHost, addresses, connect }: RegistrarNeeds): Zone {
  const at = [platformHost, `*.${platformHost}`].map((name) => ({ name, ttl: TTL_SECONDS }))
  return {
    apex: platformHost,
    serial: 1,
    records: [
      ...nameserverRecords(platformHost),
      ...at.flatMap((owner) => [
        ...addresses.v4.map((data) => ({ ...owner, type: 'A' as const, data })),
        ...addresses.v6.map((data) => ({ ...owner, type: 'AAAA' as const, data })),
      ]),
      ...(connect?.keyTexts() ?? []).map((data) => textRecord(connect!.keyName, data)),
    ],
  }
}

/** As at providers that answer it for every zone, without a record that people could see or delete. */
function providerRecord(apex: string, connect: RegistrarConnect | undefined): ZoneRecord[] {
  return connect ? [textRecord(`_domainconnect.${apex}`, connect.prefix)] : []
}

const textRecord = (name: string, data: string): ZoneRecord => ({ name, type: 'TXT', ttl: TTL_SECONDS, data })

const emptyZone = (apex: string): Zone => ({ apex, serial: 1, records: nameserverRecords(apex) })

const nameserverRecords = (apex: string): ZoneRecord[] =>
  SANDBOX_NAMESERVERS.map((data) => ({ name: apex, type: 'NS', ttl: TTL_SECONDS, data }))

interface RecordRow {
  name: string
  type: string
  ttl: number
  data: string
  only_on: string | null
}

export function zoneRecord({ name, type, ttl, data, only_on }: RecordRow): ZoneRecord {
  const record = { name, type, ttl, data: JSON.parse(data) as unknown } as ZoneRecord
  return only_on === null ? record : { ...record, onlyOn: only_on }
}

function zoneFault(row: { kind: string; name: string | null; type: string | null; only_on: string | null }): ZoneFault {
  const { kind, name, type, only_on: onlyOn } = row
  return {
    kind: kind as FaultKind,
    ...(name === null ? {} : { name }),
    ...(type === null ? {} : { type }),
    ...(onlyOn === null ? {} : { onlyOn }),
  }
}
