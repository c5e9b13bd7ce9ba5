import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { isEncrypted, noteForwardedClient } from '../platform/http/client.ts'
import { isAmong } from '../platform/network.ts'
import type { BrevityOf } from './brief-exchanges.ts'
import type { ConnectionGate } from './connection-gate.ts'
import { forwardedClient } from './forwarded.ts'
import { hostResolver, type HostRules } from './hosts.ts'
import { listen, type RequestHandler } from './http-listener.ts'
import type { Listener } from './http-server.ts'
import { openAll, plainPorts, type Ports } from './ports.ts'
import { listenTls, type TlsListener, type TlsNeeds } from './tls/listener.ts'

export interface Listening extends HostRules, Ports {
  /** Networks whose PROXY protocol and forwarding headers are believed. */
  trustedProxies: BlockList | undefined
}

/** What every port has in common. */
interface Door {
  gate: ConnectionGate
  handle: RequestHandler
  brevityOf?: BrevityOf | undefined
}

/** One plain listener for each distinct port of the two addresses, on every address that the operator wants. */
export function openHttpListeners(rules: Listening, { gate, handle, brevityOf }: Door): Promise<Listener[]> {
  return openAll(plainPorts(rules), rules, (address, port) => {
    const resolve = hostResolver(rules, 'http', port)
    const resolveSecure = hostResolver(rules, 'https', port)
    return listen(address, port, {
      gate,
      brevityOf,
      handle(request, response) {
        noteClient(request, rules)
        // A proxy that ends TLS comes to a plain port.
        const isSecure = rules.trustedProxies !== undefined && isEncrypted(request)
        handle(request, response, (isSecure ? resolveSecure : resolve)(request.headers.host))
      },
    })
  })
}

/** One port for HTTPS, whatever the name: the interface, the dashboard and every site. */
export function openTlsListeners(
  rules: Listening,
  { gate, handle, brevityOf }: Door,
  options: Omit<TlsNeeds, 'handle' | 'gate' | 'brevityOf'>,
): Promise<TlsListener[]> {
  const resolve = hostResolver(rules, 'https', rules.httpsPort)
  return openAll([rules.httpsPort], rules, (address, port) =>
    listenTls(address, port, {
      ...options,
      gate,
      brevityOf,
      handle(request, response) {
        noteClient(request, rules)
        handle(request, response, resolve(request.headers.host))
      },
    }),
  )
}

function noteClient(request: IncomingMessage, { trustedProxies }: Listening): void {
  if (trustedProxies === undefined) return
  const peer = request.socket.remoteAddress
  if (peer === undefined || !isAmong(trustedProxies, peer)) return
  noteForwardedClient(request, forwardedClient(request.headers, peer, trustedProxies))
}
