import { connect } from 'node:tls'
import { createInternalCa, createRoot } from '../src/features/certificates/internal-ca.ts'
import { systemClock } from '../src/platform/clock.ts'
import { startCaddy } from './caddy.ts'
import { manyHosts } from './many-hosts.ts'
import { sideBySide } from './load.ts'
import { report, type Row } from './report.ts'
import { startPetstore } from './servers.ts'

/** The edge against Caddy, one processor each, the same file; then ten thousand hosts on one listener. */
const FILE = 'docs/reference.css'
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
const compare = (what: string, floor: number, ours: string, theirs: string, headers: Record<string, string> = {}) => {
  const rates = sideBySide({ ours: { url: ours, headers }, theirs: { url: theirs, headers } })
  rows.push({ what, service: rates.ours as number, other: rates.theirs as number, floor })
}
compare(`file of ${bytes.length} bytes over HTTP / Caddy`, 1, `${origin}/${FILE}`, `${caddy.http}/${FILE}`)
compare('the same over TLS, connections kept / Caddy', 1, `${secure}/${FILE}`, `${caddy.https}/${FILE}`)
const anew = { Connection: 'close' }
compare('new TLS handshakes / Caddy', 0.7, `${secure}/${FILE}`, `${caddy.https}/${FILE}`, anew)
report('Edge, 64 connections, one core', rows)

await manyHosts(ca, connect)
