import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import type { Clock } from '../../clock.ts'
import type { ServerAddress } from '../address.ts'
import { ReplyRate } from './reply-rate.ts'
import { type Respond, responderFor } from './respond.ts'
import { serveTcp, type TcpLimits } from './tcp.ts'
import type { LabelZone } from './zone.ts'

interface AuthoritativeNeeds {
  clock: Clock
  zone: LabelZone
  /** Port 0 takes a free one. */
  at: ServerAddress
  onError: (error: unknown) => void
}

interface AuthoritativeOptions extends TcpLimits {
  /** Other workers of this service have the same port open. */
  isShared?: boolean
  repliesPerSecond?: number
}

export interface AuthoritativeListener extends AsyncDisposable {
  readonly port: number
  /** Since the start. */
  readonly counts: { readonly answered: number; readonly limited: number }
}

/** Answers the whole internet for one zone, over UDP and TCP: it asks nobody, and sends nobody more than they sent. */
export async function openAuthoritativeListener(
  { clock, zone, at, onError }: AuthoritativeNeeds,
  { isShared = false, repliesPerSecond, ...limits }: AuthoritativeOptions = {},
): Promise<AuthoritativeListener> {
  await using opening = new AsyncDisposableStack()
  const respond = responderFor(zone, onError)
  const counts = { answered: 0, limited: 0 }
  const tcp = serveTcp(respond, limits)
  opening.defer(() => new Promise<void>((resolve) => void tcp.server.close(() => resolve())))
  opening.defer(() => tcp.end())
  tcp.server.on('error', onError)
  tcp.server.listen({ port: at.port, host: at.address, reusePort: isShared })
  await once(tcp.server, 'listening')
  const { port } = tcp.server.address() as { port: number }

  const udp = createSocket({ type: isIPv4(at.address) ? 'udp4' : 'udp6', reusePort: isShared })
  opening.defer(() => new Promise<void>((resolve) => void udp.close(() => resolve())))
  udp.bind(port, at.address)
  await once(udp, 'listening')
  const rate = new ReplyRate(clock, repliesPerSecond === undefined ? {} : { perSecond: repliesPerSecond })
  serveUdp(udp, { respond, rate, counts, onError })

  const running = opening.move()
  return { port, counts, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

interface UdpNeeds {
  respond: Respond
  rate: ReplyRate
  counts: { answered: number; limited: number }
  onError: (error: unknown) => void
}

function serveUdp(udp: Socket, { respond, rate, counts, onError }: UdpNeeds): void {
  let isClosed = false
  let pending = 0
  udp.on('close', () => (isClosed = true))
  udp.on('error', onError)
  udp.on('message', (packet, { address, port }) => {
    const allowed = rate.take(address)
    if (allowed !== 'answer') counts.limited++
    if (allowed === 'drop' || pending >= PENDING_MAX) return
    const send = (reply: Buffer | undefined) => {
      if (reply === undefined || isClosed) return
      counts.answered++
      udp.send(reply, port, address, ignore)
    }
    const reply = respond(packet, allowed === 'slip' ? 'udp slip' : 'udp')
    if (!(reply instanceof Promise)) return send(reply)
    pending++
    void reply.then(send, onError).finally(() => pending--)
  })
}

/** Questions that wait for the storage; who asks beyond them is not answered, and asks again. */
const PENDING_MAX = 256

/** Whom it cannot reach it does not answer. */
const ignore = () => {}
