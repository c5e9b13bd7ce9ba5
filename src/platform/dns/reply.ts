import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  type DecodedPacket,
  encode,
  type OptAnswer,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import type { Clock } from '../clock.ts'
import { type Answered, answerFrom, soaOf } from './answer.ts'
import { measureMessage, tooLarge } from './bounds.ts'
import { EXTENDED_ERROR_OPTION, type QuestionType, UDP_PAYLOAD_BYTES } from './message.ts'
import { dnsName } from './name.ts'
import { type DnsRecord, recordToWire } from './record.ts'
import type { FaultKind, Zone, ZoneFault, ZoneSource } from './zone.ts'

export type Transport = 'udp' | 'tcp'

export interface ReplyContext {
  zones: ZoneSource
  clock: Clock
  nameserver: string
  recursive: boolean
  signal: AbortSignal
  onError: (error: unknown) => void
}

/** The packet to send back, or undefined for silence (over TCP: hang up). */
export async function replyTo(
  packet: Buffer,
  transport: Transport,
  context: ReplyContext,
): Promise<Buffer | undefined> {
  const query = readQuery(packet)
  if (query === undefined) return undefined
  if (query.rcode !== undefined) return encodeReply(query, transport, { rcode: query.rcode })
  try {
    return await answerQuery(query, transport, context)
  } catch (error) {
    context.onError(error)
    return encodeReply(query, transport, { rcode: 'SERVFAIL' })
  }
}

async function answerQuery(query: Query, transport: Transport, context: ReplyContext): Promise<Buffer | undefined> {
  const { name, type, original } = query
  const zone = await context.zones.zoneFor(name)
  const faults = zone === undefined ? [] : faultsFor(zone, context.nameserver, name, type)
  for (const { kind, delayMs = DELAY_MS } of faults) {
    if (kind === 'delay') await context.clock.sleep(delayMs, context.signal)
  }
  const fault = faults.find(({ kind }) => kind !== 'delay' && (kind !== 'dnssec' || isValidating(context, original)))
  if (fault !== undefined && zone !== undefined) {
    const kind = context.recursive ? throughResolver(fault.kind) : fault.kind
    const broken = breakReply(kind, query, transport, zone, context)
    if (broken !== undefined) return broken === 'silence' ? undefined : broken
  }
  const answered = await answerFrom(context.zones, context.nameserver, name, type)
  const body = context.recursive ? asRecursive(answered) : answered
  return encodeReply(query, transport, body, fault?.kind === 'wrong-id')
}

interface Query {
  original: DecodedPacket
  question: Question
  name: string
  type: QuestionType
  /** Set when the query can be answered with this code alone. */
  rcode?: Rcode
}

type Rcode = 'FORMERR' | 'NOTIMP' | Answered['rcode']
interface Body extends Partial<Omit<Answered, 'rcode'>> {
  rcode: Rcode
  recursive?: boolean
  truncated?: boolean
  extendedError?: number
}

function readQuery(packet: Buffer): Query | undefined {
  const size = measureMessage(packet)
  if (size === undefined || tooLarge(packet.length, size) !== undefined) return undefined
  let original: DecodedPacket & { opcode: string }
  try {
    original = decode(packet) as DecodedPacket & { opcode: string }
  } catch {
    return undefined
  }
  // Answering answers would let two servers talk to each other for ever.
  if (original.flag_qr) return undefined
  const question = original.questions?.[0]
  if (question === undefined) return undefined
  const name = dnsName(question.name)
  const query = { original, question, name: name ?? '.', type: question.type as QuestionType }
  if (original.opcode !== 'QUERY') return { ...query, rcode: 'NOTIMP' }
  if (name === undefined || original.questions!.length !== 1) return { ...query, rcode: 'FORMERR' }
  if (question.class !== 'IN') return { ...query, rcode: 'REFUSED' }
  return NOT_SERVED.has(question.type) ? { ...query, rcode: 'NOTIMP' } : query
}

function faultsFor(zone: Zone, nameserver: string, name: string, type: string): ZoneFault[] {
  return (zone.faults ?? []).filter(
    (fault) =>
      (fault.onlyOn === undefined || fault.onlyOn === nameserver) &&
      (fault.name === undefined || fault.name === name) &&
      (fault.type === undefined || fault.type === type),
  )
}

/** Bogus signatures stop a resolver that validates, not the authoritative answer itself. */
function isValidating({ recursive }: ReplyContext, query: DecodedPacket): boolean {
  return recursive && !query.flag_cd
}

/** Whatever keeps a resolver from an answer, its client sees SERVFAIL. */
function throughResolver(kind: FaultKind): FaultKind {
  return kind === 'nxdomain' || kind === 'dnssec' ? kind : 'servfail'
}

function asRecursive(answered: Answered): Body {
  const { answers, authority, additional } = answered
  const sections = { authoritative: false, recursive: true, answers, authority, additional }
  // Outside these zones there is nothing: the root would say so.
  if (answered.rcode === 'REFUSED') return { ...sections, rcode: 'NXDOMAIN' }
  const aliases = answers.filter((record) => record.type === 'CNAME').length
  const reachesNothing = !answered.authoritative || aliases > RESOLVER_CHAIN_MAX
  return reachesNothing ? { rcode: 'SERVFAIL', recursive: true } : { ...sections, rcode: answered.rcode }
}

/** Undefined when the fault leaves the answer itself as it is. */
function breakReply(
  kind: FaultKind,
  query: Query,
  transport: Transport,
  zone: Zone,
  { nameserver }: ReplyContext,
): Buffer | 'silence' | undefined {
  switch (kind) {
    case 'servfail':
      return encodeReply(query, transport, { rcode: 'SERVFAIL' })
    case 'refused':
      return encodeReply(query, transport, { rcode: 'REFUSED' })
    case 'nxdomain': {
      const authority = [soaOf(zone, nameserver)]
      return encodeReply(query, transport, { rcode: 'NXDOMAIN', authoritative: true, authority })
    }
    case 'lame':
      return encodeReply(query, transport, { rcode: 'NOERROR', authoritative: false })
    case 'dnssec':
      return encodeReply(query, transport, { rcode: 'SERVFAIL', extendedError: DNSSEC_BOGUS })
    case 'truncate':
      return transport === 'tcp' ? 'silence' : encodeReply(query, transport, { rcode: 'NOERROR', truncated: true })
    case 'garbage':
      return Buffer.from('this is no DNS message')
    case 'drop':
      return 'silence'
    case 'delay':
    case 'wrong-id':
      return undefined
  }
}

function encodeReply(query: Query, transport: Transport, body: Body, wrongId = false): Buffer {
  const { original, question } = query
  const flags =
    (body.authoritative ? AUTHORITATIVE_ANSWER : 0) |
    (body.recursive ? RECURSION_AVAILABLE : 0) |
    (body.truncated ? TRUNCATED_RESPONSE : 0) |
    (original.flag_rd ? RECURSION_DESIRED : 0) |
    RCODES[body.rcode]
  const edns = original.additionals?.find((record): record is OptAnswer => record.type === 'OPT')
  const reply: Packet = {
    type: 'response',
    id: wrongId ? original.id! ^ 0xffff : original.id,
    flags,
    questions: [question],
    answers: toWire(body.answers),
    authorities: toWire(body.authority),
    additionals: [...toWire(body.additional), ...(edns === undefined ? [] : [optRecord(body.extendedError)])],
  }
  const packet = encode(reply)
  const limit = Math.min(Math.max(edns?.udpPayloadSize ?? 512, 512), UDP_PAYLOAD_BYTES)
  if (transport === 'tcp' || packet.length <= limit) return packet
  const { rcode, authoritative = false, recursive = false } = body
  return encodeReply(query, transport, { rcode, authoritative, recursive, truncated: true })
}

function toWire(records: readonly DnsRecord[] = []): Answer[] {
  return records.filter((record) => record.type !== 'OTHER').map(recordToWire)
}

function optRecord(extendedError: number | undefined): OptAnswer {
  const data = Buffer.alloc(2)
  data.writeUInt16BE(extendedError ?? 0)
  const options = extendedError === undefined ? [] : [{ code: EXTENDED_ERROR_OPTION, data }]
  const opt = { type: 'OPT', name: '.', udpPayloadSize: UDP_PAYLOAD_BYTES, extendedRcode: 0, ednsVersion: 0, flags: 0 }
  return { ...opt, flag_do: false, options } as unknown as OptAnswer
}

const RCODES: Record<Rcode, number> = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }
const NOT_SERVED = new Set<string>(['AXFR', 'IXFR', 'ANY'])
const DNSSEC_BOGUS = 6
const RESOLVER_CHAIN_MAX = 11
// Beyond every client's patience: a nameserver that is too slow to count.
const DELAY_MS = 5000
