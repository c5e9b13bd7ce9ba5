import { createInternalCa, createRoot } from '../src/features/certificates/authority/internal-ca.ts'
import { systemClock } from '../src/platform/clock.ts'
import { startCaddy } from './caddy.ts'
import { manyHosts } from './many-hosts.ts'
import { median, sideBySide } from './load.ts'
import { cpuMsOfHandshakes } from './process-figures.ts'
import { report, type Row } from './report.ts'
import { type PetstoreServer, startPetstore } from './servers.ts'

/** The edge against Caddy, one processor each, the same file; then ten thousand hosts on one listener. */
const FILE = 'docs/animals/reference.css'
const HANDSHAKES = 2_000
const bytes = await referenceStyles()
const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }, {}) })
const { privateKeyPem, chainPem } = await ca.issue(['localhost'])
await using caddy = await startCaddy([{ path: FILE, bytes }], { key: privateKeyPem, cert: chainPem })

const rows = [
  await compareFiles(`file of ${bytes.length} bytes over HTTP / Caddy`, 'http', {}, 1),
  await compareFiles('the same over TLS, connections kept / Caddy', 'https', {}, 1),
  await compareHandshakes('new TLS handshakes / Caddy', 0.7),
  // For information: how often a session is resumed here depends on how many tickets each server hands out.
  await compareFiles('a TLS connection for each request / Caddy', 'https', { Connection: 'close' }),
]
report('Edge, 64 connections, one core', rows)

await manyHosts(ca)

async function referenceStyles(): Promise<Buffer> {
  await using petstore = await startPetstore()
  const answer = await fetch(addressesOf(petstore).http, { headers: { 'Accept-Encoding': 'identity' } })
  if (!answer.ok) throw new Error(`${FILE} answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** Fresh for each: V8 makes slower code for what has seen both kinds of sockets, and visitors come over TLS. */
async function compareFiles(
  what: string,
  scheme: 'http' | 'https',
  headers: Record<string, string>,
  floor?: number,
): Promise<Row> {
  await using petstore = await startPetstore()
  // Long slices: what is kept open is to be measured, not the handshakes with which a slice begins.
  const load = { headers, seconds: 3 }
  const ours = { ...load, url: addressesOf(petstore)[scheme] }
  const { service, other } = sideBySide({ service: ours, other: { ...load, url: `${caddy[scheme]}/${FILE}` } })
  return { what, service: service as number, other: other as number, ...(floor && { floor }) }
}

/** Handshakes without resumption, in a second of the server's processor: a client costs more than either server. */
async function compareHandshakes(what: string, floor: number): Promise<Row> {
  await using petstore = await startPetstore()
  const names = Array.from({ length: HANDSHAKES }, () => 'localhost')
  const perSecond = async (server: Parameters<typeof cpuMsOfHandshakes>[0], port: number) =>
    1000 / (await cpuMsOfHandshakes(server, port, names))
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 6; round++) {
    ours.push(await perSecond(petstore.process, petstore.httpsPort))
    theirs.push(await perSecond(caddy.process, Number(new URL(caddy.https).port)))
  }
  // The first round warms up.
  return { what, service: median(ours.slice(1)), other: median(theirs.slice(1)), floor }
}

function addressesOf({ url, httpsPort }: PetstoreServer) {
  return { http: `${url.replace('/v1', '')}/${FILE}`, https: `https://localhost:${httpsPort}/${FILE}` }
}
