import type { Clock } from '../../platform/clock.ts'
import { dnsName, isInZone, labelCount } from '../../platform/dns/name.ts'
import { readRecord, recordText, ZONE_RECORD_TYPES } from '../../platform/dns/record-text.ts'
import { FAULT_KINDS } from '../../platform/dns/zone.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { listFaults, listRecords, listZones } from './queries.ts'
import { SANDBOX_NAMESERVERS, zoneRecord } from './registrar.ts'
import { deleteFault, deleteRecord, deleteZone, insertFault, insertRecord, insertZone } from './writes.ts'

export interface SandboxNeeds {
  storage: AuditedStorage
  clock: Clock
  changes: ChangeFeed
}

export interface SandboxRecordView {
  id: string
  name: string
  type: string
  ttl: number
  value: string
  onlyOn: string | null
}

export interface SandboxFaultView {
  id: string
  kind: string
  name: string | null
  type: string | null
  onlyOn: string | null
}

export interface SandboxZoneView {
  apex: string
  serial: number
  nameservers: readonly string[]
  records: SandboxRecordView[]
  faults: SandboxFaultView[]
}

export interface RecordInput {
  apex: string
  /** As people type it: a label, `@`, or the full name. */
  name: string
  type: string
  value: string
  ttl?: number | undefined
  /** One nameserver alone. */
  onlyOn?: string | undefined
}

export interface FaultInput {
  apex: string
  kind: string
  name?: string | undefined
  type?: string | undefined
  onlyOn?: string | undefined
}

/** The registrar's whole state: what people see on the sandbox page. */
export async function listSandbox({ storage }: Pick<SandboxNeeds, 'storage'>): Promise<SandboxZoneView[]> {
  const [zones, records, faults] = await Promise.all([
    listZones(storage.read),
    listRecords(storage.read),
    listFaults(storage.read),
  ])
  return zones.map(({ apex, serial }) => ({
    apex,
    serial,
    nameservers: SANDBOX_NAMESERVERS,
    records: records.filter((row) => row.apex === apex).map((row) => recordView(row)),
    faults: faults
      .filter((row) => row.apex === apex)
      .map(({ id, kind, name, type, only_on: onlyOn }) => ({ id, kind, name, type, onlyOn })),
  }))
}

export async function addZone({ storage, clock, changes }: SandboxNeeds, input: { apex: string }): Promise<void> {
  const apex = dnsName(input.apex)
  if (apex === undefined || labelCount(apex) < 2 || !ZONE_NAME.test(apex)) {
    throw invalid(`“${input.apex}” cannot be a sandbox zone: enter a name such as my-shop.test.`)
  }
  if (isInZone(apex, 'localhost') || SANDBOX_NAMESERVERS.some((nameserver) => isInZone(nameserver, apex))) {
    throw conflict(`${apex} belongs to the platform or its registrar: choose another name.`)
  }
  const outcome = await storage.write(insertZone, { apex, now: clock.now() })
  if (outcome === 'exists') throw conflict(`${apex} is a sandbox zone already.`)
  if (outcome === 'too_many') throw conflict('There are 50 sandbox zones, which is the most: remove one first.')
  await changes.catchUp()
}

export async function removeZone({ storage, clock, changes }: SandboxNeeds, apex: string): Promise<void> {
  if (!(await storage.write(deleteZone, { apex, now: clock.now() }))) throw noSuchZone(apex)
  await changes.catchUp()
}

export async function addRecord(
  { storage, clock, changes }: SandboxNeeds,
  input: RecordInput,
): Promise<SandboxRecordView> {
  const reading = readRecord(input.apex, { ...input, ttl: input.ttl ?? 3600 })
  if (!reading.ok) throw invalid(reading.message)
  const { name, type, ttl, data } = reading.record
  const row = { id: newId('rec'), apex: input.apex, name, type, ttl, data: JSON.stringify(data) }
  const onlyOn = parseNameserver(input.onlyOn)
  const outcome = await storage.write(insertRecord, { ...row, onlyOn, now: clock.now() })
  if (outcome === 'missing') throw noSuchZone(input.apex)
  if (outcome === 'too_many') throw conflict('This zone has 200 records, which is the most: remove one first.')
  await changes.catchUp()
  return recordView({ ...row, only_on: onlyOn })
}

export async function removeRecord(
  { storage, clock, changes }: SandboxNeeds,
  input: { apex: string; id: string },
): Promise<void> {
  const isGone = await storage.write(deleteRecord, { ...input, now: clock.now() })
  if (!isGone) throw notFound('This record is not there any more.')
  await changes.catchUp()
}

export async function addFault(
  { storage, clock, changes }: SandboxNeeds,
  input: FaultInput,
): Promise<SandboxFaultView> {
  const kind = FAULT_KINDS.find((known) => known === input.kind)
  if (!kind) throw invalid(`“${input.kind}” is no fault: choose ${FAULT_KINDS.join(', ')}.`)
  const fault = {
    id: newId('flt'),
    kind,
    name: input.name === undefined ? null : parseName(input.apex, input.name),
    type: input.type === undefined ? null : parseType(input.type),
    onlyOn: parseNameserver(input.onlyOn),
  }
  const outcome = await storage.write(insertFault, { apex: input.apex, ...fault, now: clock.now() })
  if (outcome === 'missing') throw noSuchZone(input.apex)
  if (outcome === 'too_many') throw conflict('This zone has 20 faults, which is the most: remove one first.')
  await changes.catchUp()
  return fault
}

export async function removeFault(
  { storage, clock, changes }: SandboxNeeds,
  input: { apex: string; id: string },
): Promise<void> {
  const isGone = await storage.write(deleteFault, { ...input, now: clock.now() })
  if (!isGone) throw notFound('This fault is not there any more.')
  await changes.catchUp()
}

function recordView(row: Parameters<typeof zoneRecord>[0] & { id: string }): SandboxRecordView {
  const { id, name, type, ttl, only_on: onlyOn } = row
  return { id, name, type, ttl, value: recordText(zoneRecord(row)), onlyOn }
}

function parseName(apex: string, typed: string): string {
  const reading = readRecord(apex, { name: typed, type: 'TXT', ttl: 0, value: 'any' })
  if (!reading.ok) throw invalid(reading.message)
  return reading.record.name
}

function parseType(typed: string): string {
  const type = ZONE_RECORD_TYPES.find((known) => known === typed.toUpperCase())
  if (!type) throw invalid(`“${typed}” is none of the types ${ZONE_RECORD_TYPES.join(', ')}.`)
  return type
}

function parseNameserver(name: string | undefined): string | null {
  if (name === undefined) return null
  const known = SANDBOX_NAMESERVERS.find((nameserver) => nameserver === name)
  if (!known) throw invalid(`“${name}” is no nameserver of the sandbox: choose ${SANDBOX_NAMESERVERS.join(' or ')}.`)
  return known
}

const noSuchZone = (apex: string) => notFound(`There is no sandbox zone ${apex}.`)

/** Any domain may be rehearsed: nothing outside of this machine asks this registrar. */
const ZONE_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
