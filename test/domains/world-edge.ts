import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import { ConnectionGate } from '../../src/edge/connection-gate.ts'
import type { HostCertificate } from '../../src/edge/tls/context-cache.ts'
import { listenTls } from '../../src/edge/tls/listener.ts'
import { CERTIFICATES_TOPIC } from '../../src/features/certificates/writes.ts'
import type { Clock } from '../../src/platform/clock.ts'
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

/** A handshake takes the processor for 4 ms: without any pause there would be no room left for the renewals. */
const AGAIN_AFTER_MS = 20

export interface Visitor {
  readonly asked: number
  /** What went wrong, in words. */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

/** A visitor of these names in turn, who is back soon after the last handshake, and trusts this root alone. */
export function keepAsking(
  { port }: WorldEdge,
  hosts: readonly string[],
  { clock, rootPem, againAfterMs = AGAIN_AFTER_MS }: { clock: Clock; rootPem: string; againAfterMs?: number },
): Visitor {
  const root = new X509Certificate(rootPem)
  const failures: string[] = []
  let asked = 0
  let isOver = false
  const visiting = (async () => {
    while (!isOver) {
      const host = hosts[asked++ % hosts.length] as string
      const failure = await visitOnce(port, host, root, clock)
      if (failure !== undefined) failures.push(`${new Date(clock.now()).toISOString()} ${host}: ${failure}`)
      await wait(againAfterMs)
    }
  })()
  return {
    get asked() {
      return asked
    },
    failures,
    async stop() {
      isOver = true
      await visiting
    },
  }
}

/** By the clock of the world: OpenSSL would go by the machine's. */
async function visitOnce(port: number, host: string, root: X509Certificate, clock: Clock): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', servername: host, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    const chain = [socket.getPeerX509Certificate()]
    for (let next = chain[0]?.issuerCertificate; next; next = next.issuerCertificate) chain.push(next)
    const [leaf, last] = [chain[0], chain.at(-1)]
    if (!leaf || !last || leaf.checkHost(host) === undefined) return `the certificate is for ${leaf?.subjectAltName}`
    if (!last.verify(root.publicKey)) return 'the chain does not lead to the root'
    const now = clock.now()
    if (leaf.validFromDate.getTime() > now) return `the certificate begins ${leaf.validFrom}`
    return leaf.validToDate.getTime() <= now ? `the certificate ended ${leaf.validTo}` : undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    socket.destroy()
  }
}
