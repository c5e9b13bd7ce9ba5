import { ConnectionGate } from '../../src/edge/connection-gate.ts'
import type { HostCertificate } from '../../src/edge/tls/context-cache.ts'
import { listenTls } from '../../src/edge/tls/listener.ts'
import { CERTIFICATES_TOPIC } from '../../src/features/certificates/writes.ts'
import type { DomainWorld } from './world.ts'

export interface WorldEdge extends AsyncDisposable {
  readonly port: number
  /** What this edge serves instead of what is stored, by hostname; `undefined` for nothing. */
  readonly instead: Map<string, HostCertificate | undefined>
  /** What it answers with. */
  status: number
  /** Also what it remembers. */
  forget(): void
}

/** The TLS port of an instance, with the certificates of a world and the same answer for everybody. */
export async function openWorldEdge({ certificates, changes, clock }: DomainWorld): Promise<WorldEdge> {
  const instead = new Map<string, HostCertificate | undefined>()
  const listener = await listenTls('127.0.0.1', 0, {
    clock,
    gate: new ConnectionGate(),
    certificateFor: async (host) => (instead.has(host) ? instead.get(host) : certificates.certificateFor(host)),
    handle: (_, response) => void response.writeHead(edge.status).end(),
  })
  changes.on(CERTIFICATES_TOPIC, (host) => listener.drop(host))
  const edge: WorldEdge = {
    port: listener.port,
    instead,
    status: 200,
    forget: () => listener.dropAll(),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  }
  return edge
}
