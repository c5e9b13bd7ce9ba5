import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createInternalCa, createRoot } from '../../../src/features/certificates/authority/internal-ca.ts'
import { systemClock } from '../../../src/platform/clock.ts'

/** Where a name is served before it moves, with a certificate of another authority than ours. */
export interface OldHost extends AsyncDisposable {
  readonly ports: { http: number; https: number }
  readonly rootPem: string
  /** Whoever is connected is cut off, and whoever comes finds nothing. */
  switchOff(): Promise<void>
}

export const OLD_BODY = 'This is the old host.'

/** Leads everybody to HTTPS; with `hsts` it says that there never was anything else. */
export async function openOldHost(hostname: string, { hsts }: { hsts: boolean }): Promise<OldHost> {
  const root = await createRoot({ clock: systemClock }, { name: 'The old host’s CA' })
  const { chainPem, privateKeyPem } = await createInternalCa({ clock: systemClock }, { root }).issue([hostname])
  const headers = hsts ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload' } : {}
  const serve: RequestListener = (_, response) => void response.writeHead(200, headers).end(OLD_BODY)
  const lead: RequestListener = (_, response) =>
    void response.writeHead(301, { Location: `https://${hostname}/` }).end()
  const http = createHttpServer(lead)
  const https = createHttpsServer({ cert: chainPem, key: privateKeyPem }, serve)
  for (const server of [http, https]) {
    // No visitor pauses for long, but the machine may.
    server.keepAliveTimeout = 0
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const switchOff = async () => {
    for (const server of [http, https]) {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    }
  }
  const portOf = (server: typeof http | typeof https) => (server.address() as AddressInfo).port
  return {
    ports: { http: portOf(http), https: portOf(https) },
    rootPem: root.certificatePem,
    switchOff,
    [Symbol.asyncDispose]: switchOff,
  }
}
