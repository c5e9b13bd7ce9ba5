import { CHECKING_DISABLED, decode, type DecodedPacket, encode, type OptAnswer, RECURSION_DESIRED } from 'dns-packet'
import { measureMessage, tooLarge } from './bounds.ts'
import { ROOT } from './name.ts'
import { type DnsRecord, recordFromWire, spelled } from './record.ts'

export type QuestionType =
  | 'A'
  | 'AAAA'
  | 'CNAME'
  | 'NS'
  | 'TXT'
  | 'CAA'
  | 'SOA'
  | 'MX'
  | 'SRV'
  | 'PTR'
  | 'NAPTR'
  | 'DNAME'
  | 'TLSA'
  | 'SSHFP'
  | 'LOC'
  | 'HINFO'
  // SVCB and HTTPS, by their numbers.
  | 'UNKNOWN_64'
  | 'UNKNOWN_65'

export interface Question {
  name: string
  type: QuestionType
  /** Asks a resolver to look the answer up; authoritative servers are asked without. */
  recursion: boolean
  /** Asks a resolver to answer without validating DNSSEC. */
  checkingDisabled: boolean
}

export interface ReplyFlags {
  authoritative: boolean
  truncated: boolean
  recursionAvailable: boolean
  authenticData: boolean
}

export interface Reply {
  rcode: string
  flags: ReplyFlags
  edns: boolean
  /** RFC 8914: why the server could not answer, for instance 6 for bogus DNSSEC. */
  extendedError: { code: number; text: string } | null
  answers: DnsRecord[]
  authority: DnsRecord[]
  additional: DnsRecord[]
  /** Of the packet, and of its names written out. */
  bytes: number
  /** Whether the question came back in the spelling that was sent. */
  keepsCase: boolean
}

// Fits every path without fragments (DNS flag day 2020).
export const UDP_PAYLOAD_BYTES = 1232

/** A question as it went out; the reply must bring its bytes back. */
export interface SentQuestion {
  id: number
  packet: Buffer
  question: Question
}

/** `spelling` is the name with some letters in upper case, which whoever forges a reply must guess too. */
export function encodeQuery(id: number, question: Question, edns: boolean, spelling = question.name): SentQuestion {
  const flags = (question.recursion ? RECURSION_DESIRED : 0) | (question.checkingDisabled ? CHECKING_DISABLED : 0)
  const packet = encode({
    type: 'query',
    id,
    flags,
    // The encoder writes types that it knows only by number as well.
    questions: [{ name: spelling, type: question.type as 'A', class: 'IN' }],
    additionals: edns ? [OPT] : [],
  })
  return { id, packet, question }
}

/** A datagram that says that it is not whole is of no use, and costs nobody its decoding. */
export function readDatagram(packet: Buffer, sent: SentQuestion): Reply | OversizeReply | CutReply | ReplyMismatch {
  const isCut = packet.length >= HEADER_BYTES && (packet.readUInt16BE(2) & TRUNCATED) !== 0
  if (!isCut) return readReply(packet, sent)
  const spelling = spellingOf(packet, sent)
  if (spelling !== 'same' && spelling !== 'folded') return spelling
  return { isCut, bytes: packet.length, keepsCase: spelling === 'same' }
}

/** The reply when the packet answers exactly this question, otherwise the reason to ignore it. */
export function readReply(packet: Buffer, sent: SentQuestion): Reply | OversizeReply | ReplyMismatch {
  const size = packet.length < HEADER_BYTES ? undefined : measureMessage(packet)
  if (size === undefined) return 'malformed'
  const spelling = spellingOf(packet, sent)
  if (spelling !== 'same' && spelling !== 'folded') return spelling
  const bytes = packet.length + size.nameBytes
  const keepsCase = spelling === 'same'
  const oversize = tooLarge(packet.length, size)
  if (oversize !== undefined) return { oversize, bytes, keepsCase }
  try {
    return { ...toReply(decode(packet) as RepliedPacket), bytes, keepsCase }
  } catch {
    return 'malformed'
  }
}

export type ReplyMismatch = 'malformed' | 'wrong id' | 'no reply' | 'wrong question' | 'wrong sender'

/** How a packet that answers exactly this question spells its name, otherwise the reason to ignore it. */
function spellingOf(packet: Buffer, sent: SentQuestion): 'same' | 'folded' | ReplyMismatch {
  if (packet.readUInt16BE(0) !== sent.id) return 'wrong id'
  const flags = packet.readUInt16BE(2)
  if ((flags & IS_RESPONSE) === 0 || (flags & OPCODE) !== 0) return 'no reply'
  const spelling = compareQuestion(packet, sent)
  return spelling === 'other' ? 'wrong question' : spelling
}

/** It answers the question, and is not decoded. */
export interface OversizeReply {
  /** Why, in words. */
  oversize: string
  bytes: number
  keepsCase: boolean
}

export interface CutReply {
  isCut: true
  bytes: number
  keepsCase: boolean
}

type RepliedPacket = DecodedPacket & { opcode: string; rcode: string }

/** The question stands right behind the header, unpacked: nothing comes before it that a pointer could lead to. */
function compareQuestion(packet: Buffer, { packet: sent, question }: SentQuestion): 'same' | 'folded' | 'other' {
  const count = packet.readUInt16BE(4)
  // Servers that give up early leave the question out; they bring no records that could mislead.
  if (count === 0) return QUESTION_OPTIONAL.has(packet.readUInt16BE(2) & RCODE) ? 'same' : 'other'
  const nameEnd = HEADER_BYTES + (question.name === ROOT ? 1 : question.name.length + 2)
  const end = nameEnd + 4
  if (count !== 1 || packet.length < end) return 'other'
  if (!packet.subarray(nameEnd, end).equals(sent.subarray(nameEnd, end))) return 'other'
  const [got, wanted] = [packet, sent].map((message) => message.subarray(HEADER_BYTES, nameEnd))
  if (got!.equals(wanted!)) return 'same'
  return got!.toString('latin1').toLowerCase() === wanted!.toString('latin1').toLowerCase() ? 'folded' : 'other'
}

function toReply(packet: RepliedPacket): Omit<Reply, 'bytes' | 'keepsCase'> {
  const opt = packet.additionals?.find((record): record is OptAnswer => record.type === 'OPT')
  const [answers, authority, additional] = [packet.answers, packet.authorities, packet.additionals].map(
    (records = []) => records.map(recordFromWire).filter((record) => record !== undefined),
  )
  return {
    rcode: rcodeOf(packet.rcode, opt),
    flags: {
      authoritative: packet.flag_aa,
      truncated: packet.flag_tc,
      recursionAvailable: packet.flag_ra,
      authenticData: packet.flag_ad,
    },
    edns: opt !== undefined,
    extendedError: extendedErrorOf(opt),
    answers: answers!,
    authority: authority!,
    additional: additional!,
  }
}

function rcodeOf(rcode: string, opt: OptAnswer | undefined): string {
  if (opt === undefined || opt.extendedRcode === 0) return rcode
  return opt.extendedRcode === 1 && rcode === 'NOERROR' ? 'BADVERS' : `EXTENDED_${opt.extendedRcode}_${rcode}`
}

function extendedErrorOf(opt: OptAnswer | undefined): Reply['extendedError'] {
  const options = (opt?.options ?? []) as unknown as { code: number; data?: Buffer }[]
  const data = options.find((option) => option.code === EXTENDED_ERROR_OPTION)?.data
  if (data === undefined || data.length < 2) return null
  return { code: data.readUInt16BE(0), text: spelled(data.subarray(2, 2 + 200).toString()) }
}

export const EXTENDED_ERROR_OPTION = 15
// FORMERR, SERVFAIL, NOTIMP, REFUSED
const QUESTION_OPTIONAL = new Set([1, 2, 4, 5])
const HEADER_BYTES = 12
const IS_RESPONSE = 0x8000
const OPCODE = 0x7800
const TRUNCATED = 0x0200
const RCODE = 0x000f

const OPT = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_PAYLOAD_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
} satisfies OptAnswer
