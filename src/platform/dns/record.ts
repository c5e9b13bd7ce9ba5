import type { Answer } from 'dns-packet'
import { canonicalAddress } from './address.ts'
import { beginningOf } from '../schema.ts'

/** DNS records as plain JSON: what evidence is stored as and what zones are made of. */
export type DnsRecord = { [T in RecordType]: RecordOf<T> }[RecordType]
export type RecordType = keyof RecordData

export interface RecordOf<T extends RecordType> {
  name: string
  type: T
  ttl: number
  data: RecordData[T]
}

interface RecordData {
  A: string
  AAAA: string
  CNAME: string
  NS: string
  /** The character strings of the record, joined. */
  TXT: string
  CAA: CaaData
  SOA: SoaData
  MX: { preference: number; exchange: string }
  /** Types that nothing here reads: only that they were there. */
  OTHER: { type: string }
}

export interface CaaData {
  flags: number
  tag: string
  value: string
}

export interface SoaData {
  mname: string
  rname: string
  serial: number
  refresh: number
  retry: number
  expire: number
  minimum: number
}

export function recordsOf<T extends RecordType>(records: readonly DnsRecord[], type: T, name?: string): RecordOf<T>[] {
  const matching = records.filter((record) => record.type === type && (name === undefined || record.name === name))
  return matching as RecordOf<T>[]
}

export function recordFromWire(answer: Answer): DnsRecord | undefined {
  if (answer.type === 'OPT') return undefined
  const name = spelled(answer.name).toLowerCase()
  // RFC 2181, section 8: a TTL with the top bit set counts as zero.
  const ttl = answer.ttl === undefined || answer.ttl > 0x7fff_ffff ? 0 : answer.ttl
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { name, type: answer.type, ttl, data: canonicalAddress(answer.data) }
    case 'CNAME':
    case 'NS':
      return { name, type: answer.type, ttl, data: spelled(answer.data).toLowerCase() }
    case 'TXT':
      return { name, type: 'TXT', ttl, data: spelled(beginningOf(textOf(answer.data), TEXT_CHARACTERS_MAX)) }
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data
      const data = { flags, tag: spelled(tag).toLowerCase(), value: spelled(beginningOf(value, TEXT_CHARACTERS_MAX)) }
      return { name, type: 'CAA', ttl, data }
    }
    case 'SOA': {
      const { mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = answer.data
      const names = { mname: spelled(mname), rname: spelled(rname) }
      return { name, type: 'SOA', ttl, data: { ...names, serial, refresh, retry, expire, minimum } }
    }
    case 'MX': {
      const { preference = 0, exchange } = answer.data
      return { name, type: 'MX', ttl, data: { preference, exchange: spelled(exchange) } }
    }
    default:
      return { name, type: 'OTHER', ttl, data: { type: answer.type } }
  }
}

/** A NUL as zone files write it: people are told what was found, and PostgreSQL stores no text with one. */
export const spelled = (text: string) => text.replaceAll('\0', '\\000')

/** The inverse; the encoder writes into what it is given, so everything is copied. */
export function recordToWire(record: Exclude<DnsRecord, { type: 'OTHER' }>): Answer {
  const { name, ttl } = record
  if (record.type === 'TXT') return { name, ttl, type: 'TXT', data: textChunks(record.data) }
  if (record.type === 'CAA') return { name, ttl, type: 'CAA', data: { ...record.data } } as Answer
  return { name, ttl, type: record.type, data: record.data } as Answer
}

function textOf(data: string | Buffer | (string | Buffer)[]): string {
  return (Array.isArray(data) ? data : [data]).map((chunk) => chunk.toString()).join('')
}

function textChunks(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const chunks = [bytes.subarray(0, 255)]
  for (let start = 255; start < bytes.length; start += 255) chunks.push(bytes.subarray(start, start + 255))
  return chunks
}

// A 64 KiB answer full of TXT must not become evidence of that size.
const TEXT_CHARACTERS_MAX = 2048
