import { isInZone } from './name.ts'
import type { RecordOf } from './record.ts'
import type { Zone, ZoneRecord, ZoneSource } from './zone.ts'

const registryName = (top: string) => `a.registry.${top}`

/**
 * The registries above a set of zones: what a top level domain answers, with a delegation for every zone below it
 * and NXDOMAIN for names that nobody registered. A zone that is a top level domain itself answers as it is.
 */
export function registryAbove(zones: () => readonly Zone[] | Promise<readonly Zone[]>, address: string): ZoneSource {
  return {
    async zoneFor(name) {
      const held = await zones()
      const top = name.slice(name.lastIndexOf('.') + 1)
      const own = held.find(({ apex }) => apex === top)
      if (own !== undefined) return own
      return held.some(({ apex }) => isInZone(apex, top)) ? registryZone(top, held, address) : undefined
    },
  }
}

function registryZone(top: string, held: readonly Zone[], address: string): Zone {
  const below = held.filter(({ apex }) => isInZone(apex, top))
  const registered = below.filter(({ apex }) => !below.some((zone) => zone.apex !== apex && isInZone(apex, zone.apex)))
  const delegations = registered.flatMap((zone) => zone.records.filter((record) => isNameserverOf(record, zone.apex)))
  const names = new Set(delegations.map(({ data }) => data))
  return {
    apex: top,
    serial: 1,
    records: [
      { name: top, type: 'NS', ttl: DELEGATION_TTL_SECONDS, data: registryName(top) },
      { name: registryName(top), type: 'A', ttl: DELEGATION_TTL_SECONDS, data: address },
      ...delegations,
      ...held.flatMap(({ records }) => records.filter((record) => names.has(record.name) && isAddress(record))),
    ],
  }
}

const isNameserverOf = (record: ZoneRecord, apex: string): record is RecordOf<'NS'> =>
  record.type === 'NS' && record.name === apex

const isAddress = ({ type }: ZoneRecord) => type === 'A' || type === 'AAAA'

const DELEGATION_TTL_SECONDS = 3600
