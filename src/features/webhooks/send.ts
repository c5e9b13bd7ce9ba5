import type { Agent as HttpAgent, ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import { patience } from '../../platform/clock.ts'
import { Agent, request as httpRequest } from '../../platform/http/wire/node-http.ts'
import { whenUnanswered } from '../../platform/http/wire/unanswered.ts'
import { portOf } from '../../platform/port-of.ts'
import { makeOnce } from '../../platform/single-flight.ts'
import { type DestinationNeeds, findDestination } from './destination.ts'

export interface SendNeeds extends DestinationNeeds {
  /** Roots to trust beside the system's: that of the internal CA. */
  trustedPem(): Promise<readonly string[]>
  /** Until there is a connection, and until there is an answer. */
  connectTimeoutMs?: number
  answerTimeoutMs?: number
}

export interface Sent {
  address: string | null
  /** Null where no answer came. */
  status: number | null
  /** The beginning of the answer's body. */
  answer: string | null
  /** What went wrong, in words; null when an answer came. */
  error: string | null
  /** Whether all the time that it had went by without an answer. */
  isLate: boolean
  /** As the answer has it. */
  retryAfter: string | undefined
}

const CONNECT_TIMEOUT_MS = 5000
const ANSWER_TIMEOUT_MS = 15_000
/** Enough for an error message, and all that is read. */
const ANSWER_BYTES_MAX = 1024

/** Connections to one endpoint, kept open from one message to the next. */
export interface Line extends Disposable {
  post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Sent>
}

export function openLine(needs: SendNeeds, socketsMax: number): Line {
  const settings = { keepAlive: true, maxSockets: socketsMax }
  const agents = { plain: new Agent(settings), secure: new HttpsAgent(settings) }
  const trust = makeOnce(() => trustedContext(needs))

  return {
    async post(url, headers, body, signal) {
      const destination = await findDestination(needs, url)
      if (!destination.ok) return { address: null, ...unanswered(destination.reason) }
      const { address } = destination
      const isSecure = url.protocol === 'https:'
      const secureContext = isSecure ? await trust() : undefined
      using waiting = patience(needs.answerTimeoutMs ?? ANSWER_TIMEOUT_MS)
      const open = () =>
        (isSecure ? httpsRequest : httpRequest)({
          method: 'POST',
          host: address,
          port: portOf(url),
          path: `${url.pathname}${url.search}`,
          headers: { Host: url.host, ...headers, 'Content-Length': Buffer.byteLength(body) },
          agent: (isSecure ? agents.secure : agents.plain) as HttpAgent,
          maxHeaderSize: 16 * 1024,
          signal: AbortSignal.any([signal, waiting.signal]),
          ...(isSecure ? { servername: nameOf(url), secureContext } : {}),
        })
      return { address, ...(await answerTo(open, body, url, needs.connectTimeoutMs ?? CONNECT_TIMEOUT_MS)) }
    },
    [Symbol.dispose]() {
      agents.plain.destroy()
      agents.secure.destroy()
    },
  }
}

/** An address has no name that could be asked for. */
const nameOf = ({ hostname }: URL) => (isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '')

/** Made once: each of some 150 roots has to be parsed. */
const trustedContext = async ({ trustedPem }: SendNeeds) =>
  createSecureContext({ ca: [...rootCertificates, ...(await trustedPem())] })

type Answered = Omit<Sent, 'address'>

const unanswered = (error: string, isLate = false): Answered => {
  return { status: null, answer: null, error, isLate, retryAfter: undefined }
}

async function answerTo(open: () => ClientRequest, body: string, url: URL, connectMs: number): Promise<Answered> {
  for (;;) {
    const request = open()
    try {
      return await exchange(request, body, connectMs)
    } catch (error) {
      // The other side closed a connection that was kept, before it saw the message: a new one is not.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') continue
      const { name } = error as Error
      const isLate = name === 'TimeoutError' || name === 'AbortError'
      if (isLate) return unanswered(`${url.host} did not answer in time.`, isLate)
      return unanswered(failureText(error as NodeJS.ErrnoException, url))
    }
  }
}

function exchange(request: ClientRequest, body: string, connectMs: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const late = Object.assign(new Error('no connection in time'), { name: 'TimeoutError' })
    const connecting = patience(connectMs)
    const connected = () => connecting[Symbol.dispose]()
    connecting.signal.addEventListener('abort', () => request.destroy(late))
    request.on('socket', (socket) => {
      if (!socket.connecting) connected()
      else socket.once('connect', connected)
    })
    whenUnanswered(request, reject)
    request.on('close', connected)
    request.on('response', (response: IncomingMessage) => {
      const parts: Buffer[] = []
      let bytes = 0
      // The status is the answer; of the rest a little is kept for people, whether it ends well or not.
      const finish = () => {
        const answer = Buffer.concat(parts).subarray(0, ANSWER_BYTES_MAX).toString('utf8').replaceAll('\0', '\ufffd')
        const { statusCode, headers } = response
        resolve({
          status: statusCode as number,
          answer,
          error: null,
          isLate: false,
          retryAfter: headers['retry-after'],
        })
      }
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes < ANSWER_BYTES_MAX) return
        finish()
        request.destroy()
      })
      response.on('end', finish)
      response.on('error', finish)
      response.on('close', finish)
    })
    request.end(body)
  })
}

function failureText(error: NodeJS.ErrnoException, url: URL): string {
  if (error.code === 'ECONNREFUSED') return `Nothing listens at ${url.host}.`
  return `The connection to ${url.host} failed (${error.code ?? error.message}).`
}
