import { createInternalCa, createRoot } from '../src/features/certificates/internal-ca.ts'
import { systemClock } from '../src/platform/clock.ts'
import { startCaddy } from './caddy.ts'
import { manyHosts } from './many-hosts.ts'
import { median, sideBySide } from './load.ts'
import { cpuMsOfHandshakes } from './process-figures.ts'
import { report, type Row } from './report.ts'
import { startPetstore } from './servers.ts'

/** The edge against Caddy, one processor each, the same file; then ten thousand hosts on one listener. */
const FILE = 'docs/reference.css'
const HANDSHAKES = 2_000
await using petstore = await startPetstore()
const origin = petstore.url.replace('/v1', '')
const answer = await fetch(`${origin}/${FILE}`, { headers: { 'Accept-Encoding': 'identity' } })
if (!answer.ok) throw new Error(`${FILE} answered ${answer.status}`)
const bytes = Buffer.from(await answer.arrayBuffer())

const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }, {}) })
const { privateKeyPem, chainPem } = await ca.issue(['localhost'])
await using caddy = await startCaddy({ path: FILE, bytes }, { key: privateKeyPem, cert: chainPem })

const rows: Row[] = []
const secure = `https://localhost:${petstore.httpsPort}`
const compare = (what: string, floor: number | undefined, ours: string, theirs: string, headers: Record<string, string> = {}) => {
  // Long slices: what is kept open is to be measured, not the handshakes with which a slice begins.
  const rates = sideBySide({ ours: { url: ours, headers, seconds: 3 }, theirs: { url: theirs, headers, seconds: 3 } })
  rows.push({ what, service: rates.ours as number, other: rates.theirs as number, ...(floor && { floor }) })
}
compare(`file of ${bytes.length} bytes over HTTP / Caddy`, 1, `${origin}/${FILE}`, `${caddy.http}/${FILE}`)
compare('the same over TLS, connections kept / Caddy', 1, `${secure}/${FILE}`, `${caddy.https}/${FILE}`)
await compareHandshakes()
// For information: how often a session is resumed here depends on how many tickets each server hands out.
compare('a connection for each request / Caddy', undefined, `${secure}/${FILE}`, `${caddy.https}/${FILE}`, { Connection: 'close' })
report('Edge, 64 connections, one core', rows)

await manyHosts(ca)

/** Handshakes without resumption, in a second of the server's processor: a client costs more than either server. */
async function compareHandshakes(): Promise<void> {
  const names = Array.from({ length: HANDSHAKES }, () => 'localhost')
  const perSecond = async (server: Parameters<typeof cpuMsOfHandshakes>[0], port: number) =>
    1000 / (await cpuMsOfHandshakes(server, port, names))
  const caddyPort = Number(new URL(caddy.https).port)
  const slices: [number, number][] = []
  for (let round = 0; round <= 5; round++) {
    slices.push([await perSecond(petstore.process, petstore.httpsPort), await perSecond(caddy.process, caddyPort)])
  }
  const [, ...warm] = slices
  const [service, other] = [median(warm.map(([ours]) => ours)), median(warm.map(([, theirs]) => theirs))]
  rows.push({ what: 'new TLS handshakes / Caddy', service, other, floor: 0.7 })
}
