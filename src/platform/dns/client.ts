import { randomInt } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { ServerAddress } from './address.ts'
import {
  encodeQuery,
  type Question,
  type QuestionType,
  readReply,
  type Reply,
  type ReplyFlags,
  type ReplyMismatch,
} from './message.ts'
import { dnsName } from './name.ts'
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

interface Outcome extends Omit<Reply, 'rcode' | 'flags'> {
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
  | 'aborted'
  | 'invalid name'

export interface AskOptions {
  serverName?: string | null
  recursion?: boolean
  checkingDisabled?: boolean
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
}

export function createDnsClient(needs: DnsClientNeeds): DnsClient {
  const { clock, timeoutMs = 2000, retryAfterMs = timeoutMs * 0.35, randomId = () => randomInt(0x1_0000) } = needs

  return {
    async ask(server, rawName, type, { serverName = null, recursion = false, checkingDisabled = false, signal } = {}) {
      const name = dnsName(rawName)
      const at = clock.now()
      const ignored: ReplyMismatch[] = []
      const question: Question = { name: name ?? rawName, type, recursion, checkingDisabled }
      const evidence = { server: { ...server, name: serverName }, ...question, at, ignored }
      const finish = (outcome: Outcome) => ({ ...evidence, durationMs: clock.now() - at, ...outcome })
      if (name === undefined) return finish(failure('invalid name', 'DNS cannot carry this name'))

      const outOfTime = AbortSignal.timeout(timeoutMs)
      const stop = signal === undefined ? outOfTime : AbortSignal.any([signal, outOfTime])
      const asker: Asker = { server, question, stop, retryAfterMs, randomId, ignored }
      try {
        const udp = await askOverUdp(asker)
        if (!udp.flags.truncated) return finish(success('udp', udp))
        return finish(await askOverTcp(asker))
      } catch (error) {
        if (!(error instanceof TransportError)) return finish(failure('unreachable', String(error)))
        if (error.kind !== 'aborted') return finish(failure(error.kind, `${error.message} (UDP)`))
        if (signal?.aborted) return finish(failure('aborted', 'the time for the whole look-up ran out'))
        return finish(noAnswer(timeoutMs, ignored))
      }
    },
  }
}

interface Asker {
  server: ServerAddress
  question: Question
  stop: AbortSignal
  retryAfterMs: number
  randomId: () => number
  ignored: ReplyMismatch[]
}

async function askOverUdp(asker: Asker): Promise<Reply> {
  const reply = await askTwice(asker, true)
  const knowsNoEdns = (reply.rcode === 'FORMERR' || reply.rcode === 'NOTIMP') && !reply.edns
  return knowsNoEdns ? askTwice(asker, false) : reply
}

function askTwice(asker: Asker, edns: boolean): Promise<Reply> {
  const { server, question, stop, retryAfterMs, randomId, ignored } = asker
  const done = new AbortController()
  const signal = AbortSignal.any([stop, done.signal])
  const ask = () => {
    const id = randomId()
    const accept = (packet: Buffer, fromServer: boolean) => {
      const reply = fromServer ? readReply(packet, id, question) : 'wrong sender'
      if (typeof reply !== 'string') return reply
      if (ignored.length < IGNORED_MAX) ignored.push(reply)
      return undefined
    }
    return askByUdp(server, encodeQuery(id, question, edns), accept, signal)
  }
  return new Promise<Reply>((resolve, reject) => {
    const retry = setTimeout(() => ask().then(resolve, reject), retryAfterMs)
    ask().then(resolve, reject)
    done.signal.addEventListener('abort', () => clearTimeout(retry))
  }).finally(() => done.abort())
}

async function askOverTcp({ server, question, stop, randomId, ignored }: Asker): Promise<Outcome> {
  const id = randomId()
  try {
    const reply = readReply(await askByTcp(server, encodeQuery(id, question, true), stop), id, question)
    if (typeof reply !== 'string') return success('tcp', reply)
    ignored.push(reply)
    return cutShort(reply)
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return cutShort(error.message)
  }
}

function success(transport: 'udp' | 'tcp', reply: Reply): Outcome {
  return { transport, error: null, ...reply }
}

function cutShort(reason: string): Outcome {
  return failure('truncated', `the answer did not fit into UDP, and TCP gave none: ${reason}`, 'tcp')
}

function noAnswer(timeoutMs: number, ignored: ReplyMismatch[]): Outcome {
  if (ignored.length === 0) return failure('timeout', `no answer within ${timeoutMs} ms`)
  const kind = ignored.every((reason) => reason === 'malformed') ? 'malformed' : 'mismatched'
  return failure(kind, `only unusable replies within ${timeoutMs} ms: ${[...new Set(ignored)].join(', ')}`)
}

function failure(kind: ExchangeFailure, message: string, transport: 'udp' | 'tcp' = 'udp'): Outcome {
  const nothing = { rcode: null, flags: null, edns: false, extendedError: null, omitted: 0 }
  return { transport, error: { kind, message }, ...nothing, answers: [], authority: [], additional: [] }
}

// A flood of forged replies is evidence after a few of them.
const IGNORED_MAX = 8
