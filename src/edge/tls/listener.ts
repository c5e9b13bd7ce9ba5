import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Clock } from '../../platform/clock.ts'
import { canonicalHostname } from '../../platform/hostname.ts'
import { type ConnectionGate, setRemoteAddress } from '../connection-gate.ts'
import { HTTP_TIMEOUTS } from '../http-limits.ts'
import { type Listener, openPort } from '../http-server.ts'
import { startTls } from '../node-internals.ts'
import type { ClientHello } from './client-hello.ts'
import { Connections } from './connections.ts'
import { createTlsContext, type KeyAndCertificate } from './context.ts'
import { ContextCache, type CertificateLookup, type ContextCacheNeeds } from './context-cache.ts'
import { ALERT, protocolList, receiveHello, refuseHandshake, refusePlainHttp } from './handshake.ts'
import { createTlsHttpServer, type TlsHttpNeeds } from './http.ts'

export interface TlsNeeds extends Omit<TlsHttpNeeds, 'timeouts' | 'accept'> {
  certificateFor: CertificateLookup
  /** The tls-alpn-01 certificate (RFC 8737) of an order that is under way for this host. */
  challengeFor?: (host: string) => Promise<KeyAndCertificate | undefined>
  clock: Clock
  /** Told of look-ups and certificates that failed; the client gets an alert. */
  onError?: (error: unknown, host: string) => void
  contexts?: Omit<ContextCacheNeeds, 'certificateFor' | 'clock'>
  timeouts?: Partial<TlsTimeouts>
  /** Of all ports. */
  gate: ConnectionGate
}

type TlsTimeouts = TlsHttpNeeds['timeouts'] & { handshakeTimeout: number }

export interface TlsListener extends Listener {
  /** Forget the certificate of a host: it was issued, renewed or removed. */
  drop(host: string): void
  /** Changes may have been missed: every certificate is looked up anew. */
  dropAll(): void
  /** Which hosts have open connections, of a name or below a wildcard. */
  hostsOf(name: string): string[]
  /** End what is open for a host, and say how many connections that were. */
  closeConnections(host: string): number
}

const DEFAULT_TIMEOUTS: TlsTimeouts = { ...HTTP_TIMEOUTS, handshakeTimeout: 10_000, silenceTimeout: 120_000 }
const CHALLENGES_UNDER_WAY_MAX = 20
const HTTP_PROTOCOLS = protocolList('h2', 'http/1.1')
const CHALLENGE_PROTOCOL = 'acme-tls/1'
const CHALLENGE_PROTOCOLS = protocolList(CHALLENGE_PROTOCOL)

/**
 * One TLS port: ClientHello → name → context → handshake → HTTP/1.1 or HTTP/2.
 * The name is read from the ClientHello before TLS starts, not in an SNI callback. So an unknown name gets the right
 * alert for the price of a read, there is no default certificate, every connection knows its name also when the
 * session is resumed, and a ticket opens only hosts of the certificate that it was made for.
 */
export async function listenTls(address: string, port: number, needs: TlsNeeds): Promise<TlsListener> {
  const { certificateFor, clock, handle, brevityOf, gate } = needs
  const timeouts = { ...DEFAULT_TIMEOUTS, ...needs.timeouts }
  const contexts = new ContextCache({ ...needs.contexts, certificateFor, clock })
  const connections = new Connections({ handshakeTimeoutMs: timeouts.handshakeTimeout })
  let challengesUnderWay = 0

  const http = createTlsHttpServer({
    accept: (socket) => gate.admit(socket, () => accept(socket)),
    handle,
    brevityOf,
    timeouts,
  })

  const listener = await openPort(
    http.server,
    { address, port },
    {
      stopKeepingAlive: () => http.stopKeepingAlive(),
      closeIdle: () => http.closeIdle(),
      closeAll: () => connections.closeAll(),
    },
  )
  return {
    ...listener,
    drop: (host) => contexts.drop(host),
    dropAll: () => contexts.clear(),
    hostsOf: (name) => connections.hostsOf(name),
    closeConnections: (host) => connections.close(host),
  }

  function accept(socket: Socket): void {
    socket.on('error', ignore)
    // Who hangs up during the handshake is gone; servers of HTTP open their sockets half, for requests that end early.
    socket.allowHalfOpen = false
    connections.add(socket)
    receiveHello(socket, (hello) => {
      if (hello === 'plain HTTP') return refusePlainHttp(socket)
      if (hello === 'malformed') return refuseHandshake(socket, ALERT.decodeError)
      const host = hello.serverName === undefined ? undefined : canonicalHostname(hello.serverName)
      if (host === undefined) return refuseHandshake(socket, ALERT.unrecognizedName)
      if (isChallenge(hello)) return answerChallenge(socket, host)
      whenFound(
        socket,
        host,
        () => contexts.get(host),
        (context) => {
          startTls(socket, context, HTTP_PROTOCOLS, (secured) => {
            connections.establish(socket, host)
            setRemoteAddress(secured, socket.remoteAddress)
            http.serve(secured, host)
          })
        },
      )
    })
  }

  /** Goes on with the context, at once when it is at hand, or refuses. Never throws: nobody could catch it. */
  function whenFound(
    socket: Socket,
    host: string,
    find: () => MaybeContext,
    use: (context: SecureContext) => void,
  ): void {
    const goOn = (context: SecureContext | undefined) => {
      if (socket.destroyed) return
      if (context === undefined) refuseHandshake(socket, ALERT.unrecognizedName)
      else use(context)
    }
    const fail = (error: unknown) => {
      needs.onError?.(error, host)
      refuseHandshake(socket, ALERT.internalError)
    }
    try {
      const found = find()
      if (found instanceof Promise) found.then(goOn).catch(fail)
      else goOn(found)
    } catch (error) {
      fail(error)
    }
  }

  function answerChallenge(socket: Socket, host: string): void {
    whenFound(
      socket,
      host,
      () => challengeContext(host),
      (context) => {
        startTls(socket, context, CHALLENGE_PROTOCOLS, (secured) => secured.end().resume())
      },
    )
  }

  async function challengeContext(host: string): Promise<SecureContext | undefined> {
    if (needs.challengeFor === undefined || challengesUnderWay >= CHALLENGES_UNDER_WAY_MAX) return undefined
    challengesUnderWay++
    try {
      const certificate = await needs.challengeFor(host)
      return certificate && createTlsContext(certificate)
    } finally {
      challengesUnderWay--
    }
  }
}

/** A socket that fails is destroyed by Node; nobody else is concerned. */
const ignore = () => {}

type MaybeContext = SecureContext | undefined | Promise<SecureContext | undefined>

/** Only a certificate authority asks for this protocol, and for nothing else beside it (RFC 8737). */
const isChallenge = ({ protocols }: ClientHello) => protocols.length === 1 && protocols[0] === CHALLENGE_PROTOCOL
