import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import { ConnectionGate } from '../edge/connection-gate.ts'
import { type Listening, openHttpListeners, openTlsListeners } from '../edge/listeners.ts'
import type { Ending } from '../edge/http-server.ts'
import type { RequestHandler } from '../edge/http-listener.ts'
import { type DomainSource, edgeRequests, type Visited } from '../edge/requests.ts'
import type { CertificateLookups } from '../features/certificates/serving.ts'
import { CERTIFICATES_TOPIC } from '../features/certificates/writes.ts'
import { DOMAINS_TOPIC } from '../features/domains/topics.ts'
import { PROJECTS_TOPIC } from '../features/projects/writes.ts'
import type { Clock } from '../platform/clock.ts'
import { isEncrypted } from '../platform/http/client.ts'
import type { Environment } from '../platform/http/operation.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { PlatformNames } from './platform-names.ts'
import type { Publishing } from './publishing.ts'
import { isRevocationList } from '../pages/revocation-list.ts'
import { PREFIX } from '../platform-api/interface.ts'
import { publicPorts, visitOrigin } from '../platform-api/public-addresses.ts'

interface FrontDoorNeeds {
  config: Listening & Pick<Config, 'sandbox'>
  clock: Clock
  changes: ChangeFeed
  log: Log
  metrics: Pick<Metrics, 'countFailure'>
  certificates: Omit<CertificateLookups, 'hasCertificate'>
  platformNames: Pick<PlatformNames, 'certificateFor' | 'onChange'>
  publishing: Pick<Publishing, 'sites' | 'serveSite'>
  domains: DomainSource
  visited: Visited
  isSuspended(projectId: number): boolean
  /** The two addresses of the interface. */
  own(request: IncomingMessage, response: ServerResponse, environment: Environment): void
  /** Present where other workers have the same ports open. */
  sharedWith: SharedDoor | undefined
}

export interface SharedDoor {
  /** Lets one worker take up the TLS sessions of another. */
  ticketSecret: Uint8Array
}

/** Opens every port: the last thing that starts, and the first that stops. */
export async function openFrontDoor(needs: FrontDoorNeeds): Promise<Ending> {
  const {
    config,
    clock,
    changes,
    log,
    metrics,
    certificates,
    platformNames,
    publishing,
    domains,
    visited,
    own,
    isSuspended,
    sharedWith,
  } = needs
  const { sites, serveSite } = publishing
  // Files are in memory mostly; what people do in the dashboard is of many kinds.
  const brevityOf = (url: string) => (url.startsWith('/v1/') ? 'soon' : url.startsWith(PREFIX) ? 'long' : 'at-once')
  const edge = {
    ports: publicPorts(config),
    own,
    sites,
    serveSite,
    domains,
    visited,
    isSuspended,
    challengeAnswer: certificates.challengeAnswer,
    gatewayTo: config.sandbox ? (hostname: string) => visitOrigin(config, hostname) : undefined,
    onError(error: unknown) {
      metrics.countFailure('unavailable')
      log.error({ err: error }, 'a destination could not be looked up')
    },
  }

  const gate = new ConnectionGate({ trustedProxies: config.trustedProxies })
  const secure = edgeRequests({ ...edge, scheme: 'https' })
  const tls = await openTlsListeners(
    config,
    { gate, handle: secure, brevityOf },
    {
      ...(sharedWith && { contexts: { ticketSecret: sharedWith.ticketSecret } }),
      clock,
      certificateFor: async (host) => (await certificates.certificateFor(host)) ?? platformNames.certificateFor(host),
      challengeFor: certificates.alpnAnswer,
      onError: (error, host) => log.error({ err: error, host }, 'a certificate could not be served'),
    },
  )
  const forget = (host: string) => tls.forEach((listener) => listener.drop(host))
  changes.on(CERTIFICATES_TOPIC, forget)
  changes.onGap(() => tls.forEach((listener) => listener.dropAll()))
  platformNames.onChange(forget)
  changes.on(PROJECTS_TOPIC, (slug) => forget(`${slug}.${config.platformHost}`))
  changes.on(DOMAINS_TOPIC, async (name) => {
    forget(name)
    for (const host of new Set(tls.flatMap((listener) => listener.hostsOf(name)))) {
      // Removed: also those who are connected are not served any more.
      if ((await domains.destinationOf(host)) === undefined) tls.forEach((listener) => listener.closeConnections(host))
    }
  })
  const listeners: Ending[] = [...tls]
  // All at once: a slow request at one port must not keep the others open.
  const close = async () => void (await Promise.all(listeners.map((listener) => listener[Symbol.asyncDispose]())))
  const plain = edgeRequests({ ...edge, scheme: 'http' })
  const handlePlain: RequestHandler = (request, response, destination) => {
    if (isRevocationList(request, config)) return own(request, response, 'production')
    const isForwarded = config.trustedProxies !== undefined && isEncrypted(request)
    ;(isForwarded ? secure : plain)(request, response, destination)
  }
  try {
    listeners.push(...(await openHttpListeners(config, { gate, handle: handlePlain, brevityOf })))
  } catch (error) {
    await close()
    throw error
  }
  return {
    stopAccepting: async () => void (await Promise.all(listeners.map((listener) => listener.stopAccepting()))),
    [Symbol.asyncDispose]: close,
  }
}
