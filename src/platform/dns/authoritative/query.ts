import { CLASS_IN, HEADER_BYTES, RCODE, TYPE } from './wire.ts'

/** A question as it stands in the packet; its bytes are sent back as they came, whatever case they have. */
export interface DnsQuery {
  /** In lower case, without a dot at the end; the root is empty. Bytes beyond ASCII are kept one for one. */
  name: string
  /** Behind the question. */
  end: number
  type: number
  /** Undefined where the client does not speak EDNS. */
  edns: { payloadBytes: number; version: number; dnssecOk: boolean } | undefined
}

/** Nothing is sent back. */
export const SILENCE = 'silence'

/**
 * Reads a packet of anybody's, in one pass over its bytes and with nothing built but the name. What is no question for
 * an authoritative server comes back as the code to refuse it with, or as silence where an answer could go round in
 * circles (RFC 1035, 6891, 9619).
 */
export function readQuery(packet: Buffer): DnsQuery | number | typeof SILENCE {
  if (packet.length < HEADER_BYTES) return SILENCE
  const flags = packet.readUInt16BE(2)
  if ((flags & IS_RESPONSE) !== 0) return SILENCE
  if ((flags & OPCODE) !== 0) return RCODE.notImplemented
  const questions = packet.readUInt16BE(4)
  const records = packet.readUInt32BE(6)
  const additional = packet.readUInt16BE(10)
  if (questions !== 1 || records !== 0 || additional > ADDITIONAL_MAX) return RCODE.formatError
  const named = readName(packet)
  if (named === undefined || named.end + 4 > packet.length) return RCODE.formatError
  const type = packet.readUInt16BE(named.end)
  const end = named.end + 4
  const edns = readEdns(packet, end, additional)
  if (edns === 'malformed' || type === TYPE.OPT) return RCODE.formatError
  if (packet.readUInt16BE(named.end + 2) !== CLASS_IN) return RCODE.refused
  return { name: named.name, end, type, edns }
}

/** No pointer can lead anywhere: nothing stands before the question. */
function readName(packet: Buffer): { name: string; end: number } | undefined {
  let at = HEADER_BYTES
  for (;;) {
    const length = packet[at]
    if (length === undefined || length > LABEL_MAX || at - HEADER_BYTES >= NAME_MAX) return undefined
    if (length === 0) break
    at += 1 + length
  }
  const labels: string[] = []
  for (let from = HEADER_BYTES; from < at; from += 1 + packet[from]!) {
    const label = packet.toString('latin1', from + 1, from + 1 + packet[from]!)
    // A dot inside a label is no border between two.
    labels.push(label.includes('.') ? label.replaceAll('.', '\\.') : label)
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** Exactly the records that are announced, and nothing behind them. */
function readEdns(packet: Buffer, start: number, count: number): DnsQuery['edns'] | 'malformed' {
  let at = start
  let edns: DnsQuery['edns']
  for (let index = 0; index < count; index++) {
    const owner = at
    at = skipName(packet, at)
    if (at + 10 > packet.length) return 'malformed'
    const type = packet.readUInt16BE(at)
    const dataBytes = packet.readUInt16BE(at + 8)
    if (type === TYPE.OPT) {
      if (edns !== undefined || packet[owner] !== 0) return 'malformed'
      const payloadBytes = packet.readUInt16BE(at + 2)
      edns = { payloadBytes, version: packet[at + 5]!, dnssecOk: (packet[at + 6]! & DNSSEC_OK) !== 0 }
    }
    at += 10 + dataBytes
    if (at > packet.length) return 'malformed'
  }
  return at === packet.length ? edns : 'malformed'
}

/** Beyond the packet for a name that does not end in it. */
function skipName(packet: Buffer, start: number): number {
  for (let at = start; at < packet.length;) {
    const length = packet[at]!
    if (length === 0) return at + 1
    if (length >= POINTER) return at + 2
    if (length > LABEL_MAX) break
    at += 1 + length
  }
  return packet.length
}

const IS_RESPONSE = 0x8000
const OPCODE = 0x7800
const POINTER = 0xc0
const LABEL_MAX = 63
const NAME_MAX = 255
const DNSSEC_OK = 0x80
/** OPT and a signature; more has no meaning in a question. */
const ADDITIONAL_MAX = 4
