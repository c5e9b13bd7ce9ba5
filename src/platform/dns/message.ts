import {
  CHECKING_DISABLED,
  decode,
  type DecodedPacket,
  encode,
  type OptAnswer,
  type RecordType as WireType,
  RECURSION_DESIRED,
} from 'dns-packet'
import { type DnsRecord, recordFromWire } from './record.ts'

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'TXT' | 'CAA' | 'SOA' | 'MX'

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
  /** Records beyond what evidence keeps. */
  omitted: number
}

// Fits every path without fragments (DNS flag day 2020).
export const UDP_PAYLOAD_BYTES = 1232

export function encodeQuery(id: number, question: Question, edns: boolean): Buffer {
  const flags = (question.recursion ? RECURSION_DESIRED : 0) | (question.checkingDisabled ? CHECKING_DISABLED : 0)
  return encode({
    type: 'query',
    id,
    flags,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    additionals: edns ? [OPT] : [],
  })
}

/** The reply when the packet answers exactly this question, otherwise the reason to ignore it. */
export function readReply(packet: Buffer, id: number, question: Question): Reply | ReplyMismatch {
  let decoded: RepliedPacket
  try {
    decoded = decode(packet) as RepliedPacket
  } catch {
    return 'malformed'
  }
  if (decoded.id !== id) return 'wrong id'
  if (!decoded.flag_qr || decoded.opcode !== 'QUERY') return 'no reply'
  if (!answersQuestion(decoded, question)) return 'wrong question'
  return toReply(decoded)
}

export type ReplyMismatch = 'malformed' | 'wrong id' | 'no reply' | 'wrong question' | 'wrong sender'

type RepliedPacket = DecodedPacket & { opcode: string; rcode: string }

function answersQuestion({ questions = [], rcode }: RepliedPacket, question: Question): boolean {
  const asked = questions[0]
  // Servers that give up early leave the question out; they bring no records that could mislead.
  if (asked === undefined) return QUESTION_OPTIONAL.has(rcode)
  const sameName = asked.name.toLowerCase() === question.name
  return questions.length === 1 && sameName && asked.type === (question.type as WireType) && asked.class === 'IN'
}

function toReply(packet: RepliedPacket): Reply {
  const opt = packet.additionals?.find((record): record is OptAnswer => record.type === 'OPT')
  const sections = [packet.answers, packet.authorities, packet.additionals].map((records = []) =>
    records.map(recordFromWire).filter((record) => record !== undefined),
  )
  const [answers, authority, additional] = sections.map((records) => records.slice(0, SECTION_RECORDS_MAX))
  const total = sections.reduce((sum, records) => sum + records.length, 0)
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
    omitted: total - answers!.length - authority!.length - additional!.length,
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
  return { code: data.readUInt16BE(0), text: data.subarray(2, 2 + 200).toString() }
}

export const EXTENDED_ERROR_OPTION = 15
// No honest answer about one name is longer; a hostile one must not fill the evidence.
const SECTION_RECORDS_MAX = 40
const QUESTION_OPTIONAL = new Set(['FORMERR', 'NOTIMP', 'REFUSED', 'SERVFAIL'])

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
