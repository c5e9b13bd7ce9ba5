import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { isEncrypted, noteForwardedClient } from '../platform/http/client.ts'
import { isAmong } from '../platform/network.ts'
import { StartError } from '../platform/storage/open.ts'
import type { ConnectionGate } from './connection-gate.ts'
import { forwardedClient } from './forwarded.ts'
import { hostResolver, type HostRules } from './hosts.ts'
import { portOf } from '../platform/port-of.ts'
import { type Listener, listen, type RequestHandler } from './http-listener.ts'
import { listenTls, type TlsListener, type TlsNeeds } from './tls/listener.ts'

export interface Listening extends HostRules {
  listenOn: readonly string[]
  /** A plain port beside those of the two addresses. */
  httpPort: number | undefined
  httpsPort: number
  /** Networks whose PROXY protocol and forwarding headers are believed. */
  trustedProxies: BlockList | undefined
}

/** What every port has in common. */
interface Door {
  gate: ConnectionGate
  handle: RequestHandler
}

/** One plain listener for each distinct port of the two addresses, on every address that the operator wants. */
export function openHttpListeners(rules: Listening, { gate, handle }: Door): Promise<Listener[]> {
  const ports = [rules.baseUrl, rules.stagingUrl].filter((url) => url.protocol === 'http:').map(portOf)
  if (rules.httpPort !== undefined) ports.push(rules.httpPort)
  return openAll([...new Set(ports)], rules.listenOn, (address, port) => {
    const resolve = hostResolver(rules, 'http', port)
    const resolveSecure = hostResolver(rules, 'https', port)
    return listen(address, port, {
      gate,
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
  { gate, handle }: Door,
  options: Omit<TlsNeeds, 'handle' | 'gate'>,
): Promise<TlsListener[]> {
  const resolve = hostResolver(rules, 'https', rules.httpsPort)
  return openAll([rules.httpsPort], rules.listenOn, (address, port) =>
    listenTls(address, port, {
      ...options,
      gate,
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

async function openAll<Opened extends AsyncDisposable>(
  ports: readonly number[],
  addresses: readonly string[],
  open: (address: string, port: number) => Promise<Opened>,
): Promise<Opened[]> {
  await using opened = new AsyncDisposableStack()
  const listeners: Opened[] = []
  for (const port of ports) {
    for (const address of addresses) {
      try {
        listeners.push(opened.use(await open(address, port)))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // A machine without IPv6 is served on IPv4 alone.
        if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
        throw code === 'EADDRINUSE' || code === 'EACCES' ? portTaken(port, code) : error
      }
    }
  }
  opened.move()
  return listeners
}

function portTaken(port: number, code: string): StartError {
  const why = code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another process'
  return new StartError(
    `Port ${port} ${why}. Stop that process, or choose other ports with PETSTORE_BASE_URL, PETSTORE_STAGING_URL ` +
      'and PETSTORE_HTTPS_PORT.',
  )
}
