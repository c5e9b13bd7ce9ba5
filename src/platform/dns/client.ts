import { randomInt } from 'node:crypto'
import { type Clock, HOUR_MS, patience } from '../clock.ts'
import { formatServerAddress, type ServerAddress } from './address.ts'
import { MESSAGE_BYTES_MAX } from './bounds.ts'
import {
  type CutReply,
  encodeQuery,
  type OversizeReply,
  type Question,
  type QuestionType,
  readDatagram,
  readReply,
  type Reply,
  type ReplyFlags,
  type ReplyMismatch,
  type SentQuestion,
} from './message.ts'
import { dnsName, mixCase } from './name.ts'
import { askByTcp, askByUdp, TransportError } from './transport.ts'

/** One question to one server and everything that came of it, as plain JSON. */
export interface Exchange extends Outcome {
  server: ServerAddress & { name: string | null }
  name: string
  type: QuestionType
  recursion: boolean
  checkingDisabled: boolean
  at: number
  durationMs: number
  /** Packets that came but did not answer the question, for instance one with a wrong id. */
  ignored: ReplyMismatch[]
}

interface Outcome extends Omit<Reply, 'rcode' | 'flags' | 'keepsCase'> {
  transport: 'udp' | 'tcp'
  error: { kind: ExchangeFailure; message: string } | null
  /** Null exactly when `error` is set, as are the flags. */
  rcode: string | null
  flags: ReplyFlags | null
}

type ExchangeFailure =
  | 'timeout'
  | 'closed'
  | 'unreachable'
  | 'malformed'
  | 'mismatched'
  | 'truncated'
  | 'too large'
  | 'over budget'
  | 'aborted'
  | 'invalid name'

/** What several questions may use up together; counted down as they are asked and answered. */
export interface QuestionBudget {
  questions: number
  bytes: number
  /** By server: what its first answer over TCP became. */
  firstOverTcp?: Map<string, Promise<Outcome>>
}

export interface AskOptions {
  serverName?: string | null
  recursion?: boolean
  checkingDisabled?: boolean
  /** Not over UDP at all. */
  overTcp?: boolean
  budget?: QuestionBudget
  signal?: AbortSignal
}

export interface DnsClient {
  /** Never rejects: what went wrong is part of the evidence. */
  ask(server: ServerAddress, name: string, type: QuestionType, options?: AskOptions): Promise<Exchange>
}

export interface DnsClientNeeds {
  clock: Pick<Clock, 'now'>
  /** For the whole question: all tries, UDP and TCP. */
  timeoutMs?: number
  /** A second packet goes out when the first one has no answer by then; the first may still be answered. */
  retryAfterMs?: number
  randomId?: () => number
  /** How a name is spelled in a question, so that a forger must guess it. */
  spell?: (name: string) => string
}

export function createDnsClient(needs: DnsClientNeeds): DnsClient {
  const { clock, timeoutMs = 2000, retryAfterMs = timeoutMs * 0.35, randomId = () => randomInt(0x1_0000) } = needs
  const { spell = mixCase } = needs
  const folding = new FoldingServers(clock)

  return {
    async ask(server, rawName, type, options = {}) {
      const { serverName = null, recursion = false, checkingDisabled = false, overTcp = false, signal } = options
      const { budget = { questions: Infinity, bytes: Infinity } } = options
      const name = dnsName(rawName)
      const at = clock.now()
      const ignored: ReplyMismatch[] = []
      const question: Question = { name: name ?? rawName, type, recursion, checkingDisabled }
      const evidence = { server: { ...server, name: serverName }, ...question, at, ignored }
      const finish = (outcome: Outcome) => ({ ...evidence, durationMs: clock.now() - at, ...outcome })
      if (name === undefined) return finish(failure('invalid name', 'DNS cannot carry this name'))
      if (budget.questions <= 0) return finish(failure('over budget', 'not asked: so many questions are one too many'))
      if (budget.bytes <= 0) return finish(overBytes())

      using waiting = patience(timeoutMs)
      const stop = signal === undefined ? waiting.signal : AbortSignal.any([signal, waiting.signal])
      const asker: Asker = { server, question, stop, retryAfterMs, randomId, spell, folding, ignored, budget }
      try {
        return finish(await (overTcp ? connectAndAsk(asker, spell(question.name)) : askOnce(asker)))
      } catch (error) {
        if (!(error instanceof TransportError)) return finish(failure('unreachable', String(error)))
        if (error.kind !== 'aborted') return finish(failure(error.kind, `${error.message} (UDP)`))
        if (signal?.aborted) return finish(failure('aborted', 'the time for the whole look-up ran out'))
        return finish(noAnswer(timeoutMs, ignored))
      }
    },
  }
}

type UdpReply = Reply | OversizeReply | CutReply

interface Asker {
  server: ServerAddress
  question: Question
  stop: AbortSignal
  retryAfterMs: number
  randomId: () => number
  spell: (name: string) => string
  folding: FoldingServers
  ignored: ReplyMismatch[]
  budget: QuestionBudget
}

async function askOnce(asker: Asker): Promise<Outcome> {
  const { server, question, folding } = asker
  const spelling = folding.has(server) ? question.name : asker.spell(question.name)
  const udp = await askOverUdp(asker, spelling)
  if (!udp.keepsCase) return askFolding(asker, spelling)
  return 'isCut' in udp ? askOverTcp(asker, spelling) : outcomeOf('udp', udp, asker)
}

/**
 * A reply in another spelling is a forgery, or comes from a server that cannot keep it. Over TCP nobody forges, so
 * that one is believed, and such a server is asked in lower case from then on; so is one without TCP.
 */
async function askFolding(asker: Asker, spelling: string): Promise<Outcome> {
  const { server, question, folding, retryAfterMs } = asker
  using waiting = patience(retryAfterMs)
  const stop = AbortSignal.any([asker.stop, waiting.signal])
  const tcp = await askOverTcp({ ...asker, stop }, spelling)
  if (tcp.error === null) return tcp
  const udp = await askOverUdp(asker, question.name)
  folding.add(server)
  return 'isCut' in udp ? askOverTcp(asker, question.name) : outcomeOf('udp', udp, asker)
}

async function askOverUdp(asker: Asker, spelling: string): Promise<UdpReply> {
  const reply = await askTwice(asker, true, spelling)
  if ('oversize' in reply || 'isCut' in reply) return reply
  const knowsNoEdns = (reply.rcode === 'FORMERR' || reply.rcode === 'NOTIMP') && !reply.edns
  return knowsNoEdns ? askTwice(asker, false, spelling) : reply
}

function askTwice(asker: Asker, edns: boolean, spelling: string): Promise<UdpReply> {
  const { server, question, stop, retryAfterMs, ignored } = asker
  const done = new AbortController()
  const signal = AbortSignal.any([stop, done.signal])
  const ask = (name: string) => {
    const sent = send(asker, edns, name)
    const accept = (packet: Buffer, fromServer: boolean) => {
      const reply = fromServer ? readDatagram(packet, sent) : 'wrong sender'
      if (typeof reply !== 'string') return reply
      if (ignored.length < IGNORED_MAX) ignored.push(reply)
      return undefined
    }
    return askByUdp(server, sent.packet, accept, signal)
  }
  return new Promise<UdpReply>((resolve, reject) => {
    // Servers that drop what has upper case in it are silent: the second packet has none.
    const retry = setTimeout(() => ask(question.name).then(resolve, reject), retryAfterMs)
    ask(spelling).then(resolve, reject)
    done.signal.addEventListener('abort', () => clearTimeout(retry))
  }).finally(() => done.abort(ANSWERED))
}

/**
 * The first answer of a server is waited for before it is asked for others: whoever answers everything with as much as
 * a message can hold is read once, not once for each question.
 */
async function askOverTcp(asker: Asker, spelling: string): Promise<Outcome> {
  const { server, budget } = asker
  const firsts = (budget.firstOverTcp ??= new Map())
  const at = formatServerAddress(server)
  const first = firsts.get(at)
  if (first === undefined) {
    const asked = connectAndAsk(asker, spelling)
    firsts.set(at, asked)
    return asked
  }
  const { error } = await first
  if (error?.kind === 'too large')
    return failure('too large', `not asked over TCP: it had sent ${error.message}`, 'tcp')
  return budget.bytes <= 0 ? overBytes('tcp') : connectAndAsk(asker, spelling)
}

async function connectAndAsk(asker: Asker, spelling: string): Promise<Outcome> {
  const { server, stop, folding, ignored } = asker
  const sent = send(asker, true, spelling)
  try {
    const reply = readReply(await askByTcp(server, sent.packet, MESSAGE_BYTES_MAX, stop), sent)
    if (typeof reply !== 'string') {
      if (!reply.keepsCase) folding.add(server)
      return outcomeOf('tcp', reply, asker)
    }
    ignored.push(reply)
    return cutShort(reply)
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    if (error.kind === 'too large') return tooLarge(error.message, error.bytes, asker)
    return cutShort(error.message)
  }
}

// Given, because Node would otherwise make an error with a trace for each question.
const ANSWERED = 'answered'

function send({ question, randomId, budget }: Asker, edns: boolean, spelling: string): SentQuestion {
  budget.questions -= 1
  return encodeQuery(randomId(), question, edns, spelling)
}

/** Servers that answered in another spelling than they were asked in, for an hour. */
class FoldingServers {
  readonly #clock: Pick<Clock, 'now'>
  readonly #until = new Map<string, number>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  has(server: ServerAddress): boolean {
    return (this.#until.get(formatServerAddress(server)) ?? 0) > this.#clock.now()
  }

  add(server: ServerAddress): void {
    if (this.#until.size >= FOLDING_MAX) this.#until.clear()
    this.#until.set(formatServerAddress(server), this.#clock.now() + HOUR_MS)
  }
}

function outcomeOf(transport: 'udp' | 'tcp', reply: Reply | OversizeReply, { budget }: Pick<Asker, 'budget'>): Outcome {
  if ('oversize' in reply) return tooLarge(reply.oversize, reply.bytes, { budget }, transport)
  budget.bytes -= reply.bytes
  const { keepsCase: _, ...answer } = reply
  return { transport, error: null, ...answer }
}

function tooLarge(
  message: string,
  bytes: number,
  { budget }: Pick<Asker, 'budget'>,
  transport: 'udp' | 'tcp' = 'tcp',
): Outcome {
  budget.bytes -= bytes
  return { ...failure('too large', message, transport), bytes }
}

const overBytes = (transport: 'udp' | 'tcp' = 'udp') =>
  failure('over budget', 'not asked: the answers before were too large', transport)

function cutShort(reason: string): Outcome {
  return failure('truncated', `the answer did not fit into UDP, and TCP gave none: ${reason}`, 'tcp')
}

function noAnswer(timeoutMs: number, ignored: ReplyMismatch[]): Outcome {
  if (ignored.length === 0) return failure('timeout', `no answer within ${timeoutMs} ms`)
  const kind = ignored.every((reason) => reason === 'malformed') ? 'malformed' : 'mismatched'
  return failure(kind, `only unusable replies within ${timeoutMs} ms: ${[...new Set(ignored)].join(', ')}`)
}

function failure(kind: ExchangeFailure, message: string, transport: 'udp' | 'tcp' = 'udp'): Outcome {
  const nothing = { rcode: null, flags: null, edns: false, extendedError: null, bytes: 0 }
  return { transport, error: { kind, message }, ...nothing, answers: [], authority: [], additional: [] }
}

// A flood of forged replies is evidence after a few of them.
const IGNORED_MAX = 8
const FOLDING_MAX = 10_000
