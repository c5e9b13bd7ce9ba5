import { once } from 'node:events'
import type { connect as connectTls } from 'node:tls'
import { type ServedCertificate } from '../src/edge/context-cache.ts'
import { listenTls } from '../src/edge/tls.ts'
import type { InternalCa } from '../src/features/certificates/internal-ca.ts'
import { systemClock } from '../src/platform/clock.ts'

const HOSTS = 10_000
const CACHED_MAX = 1_000
const HANDSHAKES = 3_000

/** Ten thousand hosts with certificates, a cache of a thousand contexts, and strangers who ask for names that nobody has. */
export async function manyHosts(ca: InternalCa, connect: typeof connectTls): Promise<void> {
  // Contexts are made for each certificate id, so that one key pair is enough to cost what ten thousand would.
  const { privateKeyPem: key, chainPem: cert } = await ca.issue(['bench.example.com'])
  const certificates = new Map<string, ServedCertificate>()
  for (let index = 0; index < HOSTS; index++) certificates.set(`p${index}.example.com`, { id: String(index), key, cert })
  let lookups = 0
  await using listener = await listenTls('127.0.0.1', 0, {
    clock: systemClock,
    certificateFor: async (host) => {
      lookups++
      return certificates.get(host)
    },
    isServed: () => true,
    handle: (_request, response) => response.end('ok'),
    contexts: { hostsMax: CACHED_MAX },
    connectionsPerNetworkMax: 10_000,
  })

  const shake = async (servername: string) => {
    const socket = connect({ port: listener.port, host: '127.0.0.1', servername, rejectUnauthorized: false })
    await Promise.race([once(socket, 'secureConnect'), once(socket, 'error').catch(() => {})]).catch(() => {})
    socket.destroy()
  }
  const timed = async (names: () => string) => {
    const start = performance.now()
    for (let done = 0; done < HANDSHAKES; done += 10) await Promise.all(Array.from({ length: 10 }, () => shake(names())))
    return ((performance.now() - start) / HANDSHAKES) * 1000
  }

  await timed(() => 'p1.example.com')
  const hot = await timed(() => 'p1.example.com')
  const before = process.memoryUsage().rss
  await timed(() => `p${Math.floor(Math.random() * HOSTS)}.example.com`)
  const middle = process.memoryUsage().rss
  await timed(() => `p${Math.floor(Math.random() * HOSTS)}.example.com`)
  const after = process.memoryUsage().rss
  const hotAgain = await timed(() => 'p1.example.com')
  lookups = 0
  const strangers = ['one', 'two', 'three', 'four', 'five']
  const unknown = await timed(() => `${strangers[Math.floor(Math.random() * strangers.length)]}.example.net`)
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`\n${HOSTS.toLocaleString('en')} hosts, ${CACHED_MAX.toLocaleString('en')} contexts kept (client and server in this process)`)
  console.log(`  handshake of a known host    ${hot.toFixed(0)} µs before, ${hotAgain.toFixed(0)} µs after all the others`)
  console.log(`  memory while hosts vary      ${mb(before)} → ${mb(middle)} → ${mb(after)}`)
  console.log(`  ${HANDSHAKES} handshakes of strangers  ${unknown.toFixed(0)} µs each, ${lookups} look-ups`)
  // Five names, each asked for anew when the five seconds of its refusal are over.
  if (lookups > 50) process.exitCode = 1
}
