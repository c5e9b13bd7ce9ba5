import { UDP_PAYLOAD_BYTES } from '../message.ts'
import type { DnsQuery } from './query.ts'
import { HEADER_BYTES, RCODE, TYPE, type WireRecord } from './wire.ts'
import type { ZoneAnswer } from './zone.ts'

/** A code and nothing else: as long as the shortest question. */
export function bareReply(packet: Buffer, rcode: number): Buffer {
  const reply = Buffer.alloc(HEADER_BYTES)
  writeHeader(reply, packet, { rcode, flags: 0 })
  return reply
}

export interface ReplyOptions {
  bytesMax: number
  /** Which part of the question's name is the zone's own. */
  apexBytes: number
}

/** What a datagram of this client may hold; no path breaks 1232 bytes into fragments (DNS flag day 2020). */
export function payloadOf({ edns }: DnsQuery): number {
  return Math.min(Math.max(edns?.payloadBytes ?? PLAIN_BYTES, PLAIN_BYTES), UDP_PAYLOAD_BYTES)
}

/** The answer with the question as it came, or as much of it as says "ask again over TCP" where it does not fit. */
export function fullReply(packet: Buffer, query: DnsQuery, answer: ZoneAnswer, options: ReplyOptions): Buffer {
  const apexAt = Math.max(HEADER_BYTES, query.end - 4 - options.apexBytes)
  const records = [
    ...answer.answers.map((record) => ({ record, at: HEADER_BYTES })),
    ...(answer.authority ? [{ record: answer.authority, at: apexAt }] : []),
  ]
  const bytes = records.reduce((sum, { record }) => sum + 2 + record.length, sizeWithout(query))
  if (bytes > options.bytesMax) return truncatedReply(packet, query, answer.isAuthoritative)
  const reply = Buffer.allocUnsafe(bytes)
  writeHeader(reply, packet, {
    rcode: answer.rcode,
    flags: answer.isAuthoritative ? AUTHORITATIVE : 0,
    counts: [1, answer.answers.length, answer.authority ? 1 : 0],
  })
  let end = packet.copy(reply, HEADER_BYTES, HEADER_BYTES, query.end) + HEADER_BYTES
  for (const { record, at } of records) end = writeRecord(reply, end, record, at)
  writeEdns(reply, end, query, answer.rcode)
  return reply
}

/** Whoever sent the question from an address of its own asks again over TCP; whoever has lent one cannot. */
export function truncatedReply(packet: Buffer, query: DnsQuery, isAuthoritative: boolean): Buffer {
  return emptyReply(packet, query, RCODE.none, TRUNCATED | (isAuthoritative ? AUTHORITATIVE : 0))
}

export function emptyReply(packet: Buffer, query: DnsQuery, rcode: number, flags = 0): Buffer {
  const reply = Buffer.allocUnsafe(sizeWithout(query))
  writeHeader(reply, packet, { rcode, flags, counts: [1, 0, 0] })
  packet.copy(reply, HEADER_BYTES, HEADER_BYTES, query.end)
  writeEdns(reply, query.end, query, rcode)
  return reply
}

const sizeWithout = ({ end, edns }: DnsQuery) => end + (edns ? OPT_BYTES : 0)

interface Header {
  rcode: number
  flags: number
  /** Questions, answers, authority. */
  counts?: readonly [number, number, number]
}

/** Never "recursion available". */
function writeHeader(reply: Buffer, packet: Buffer, { rcode, flags, counts = [0, 0, 0] }: Header): void {
  packet.copy(reply, 0, 0, 2)
  const kept = packet.readUInt16BE(2) & (OPCODE | RECURSION_DESIRED)
  reply.writeUInt16BE(IS_RESPONSE | kept | flags | (rcode & 15), 2)
  counts.forEach((count, index) => reply.writeUInt16BE(count, 4 + 2 * index))
  reply.writeUInt16BE(0, 10)
}

function writeRecord(reply: Buffer, at: number, record: WireRecord, ownerAt: number): number {
  reply.writeUInt16BE(POINTER | ownerAt, at)
  return at + 2 + record.copy(reply, at + 2)
}

function writeEdns(reply: Buffer, at: number, { edns }: DnsQuery, rcode: number): void {
  if (!edns) return
  reply.writeUInt16BE(1, 10)
  reply[at] = 0
  reply.writeUInt16BE(TYPE.OPT, at + 1)
  reply.writeUInt16BE(UDP_PAYLOAD_BYTES, at + 3)
  reply.writeUInt32BE(((rcode >> 4) << 24) | (edns.dnssecOk ? DNSSEC_OK : 0), at + 5)
  reply.writeUInt16BE(0, at + 9)
}

const IS_RESPONSE = 0x8000
const OPCODE = 0x7800
const AUTHORITATIVE = 0x0400
const TRUNCATED = 0x0200
const RECURSION_DESIRED = 0x0100
const POINTER = 0xc000
const DNSSEC_OK = 0x8000
const OPT_BYTES = 11
const PLAIN_BYTES = 512
