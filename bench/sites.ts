import { Agent, get } from 'node:https'
import { createInternalCa, createRoot } from '../src/features/certificates/authority/internal-ca.ts'
import { systemClock } from '../src/platform/clock.ts'
import { startCaddy } from './caddy.ts'
import { newDataDirectory } from './domains-fill.ts'
import { inTurns, type Load, type Measured, median, type Visit, WARM_UP_SECONDS } from './load.ts'
import { cpuMsOfHandshakes, cpuMsOfResumptions, type Process, processorMs } from './process-figures.ts'
import { report, type Row } from './report.ts'
import { startPetstore } from './servers.ts'
import { fillWithSites, LARGE_BYTES, type MixedFile, mixedFiles } from './sites-fill.ts'
import { zipfRanks } from './zipf.ts'

/**
 * Two workers against Caddy with two processors: 2,000 files of mixed sizes of 200 hosts, visited by Zipf's law. Rates
 * are measured with the load beside them; over TLS, where a client needs more than either server, by the requests in
 * a second of the server's processor time.
 */
const ROUNDS = 5
const VISITS = 20_000
const TLS_REQUESTS = 4_000
const CONNECTIONS = 64
const HANDSHAKES = 1_000
const RANGE_BYTES = 256 * 1024
const FLOOR = 1.2

interface Side {
  process: Process
  http: string
  httpsPort: number
}

const files = mixedFiles()
const directory = newDataDirectory()
await fillWithSites(directory, files)
await using petstore = await startPetstore({ PETSTORE_WORKERS: '2' }, { directory, key: '' })
const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }, {}) })
const { privateKeyPem, chainPem } = await ca.issue(['*.localhost'])
const served = files.map((file) => ({ ...file, host: hostOf(file) }))
await using caddy = await startCaddy(served, { key: privateKeyPem, cert: chainPem }, { processors: 2 })
const service: Side = {
  process: petstore.process,
  http: new URL(petstore.url).origin,
  httpsPort: petstore.httpsPort,
}
const other: Side = { process: caddy.process, http: caddy.http, httpsPort: Number(new URL(caddy.https).port) }

const ranks = zipfRanks(files.length, VISITS, Math.random)
const visits: Visit[] = ranks.map((rank) => visitOf(files[rank] as MixedFile))
const large = files.filter(({ bytes }) => bytes.length === LARGE_BYTES)
const ranges: Visit[] = Array.from({ length: VISITS }, () => {
  const start = Math.floor(Math.random() * (LARGE_BYTES - RANGE_BYTES))
  const file = large[Math.floor(Math.random() * large.length)] as MixedFile
  return { ...visitOf(file), range: `bytes=${start}-${start + RANGE_BYTES - 1}` }
})

const rows: Row[] = []
overHttp('mixed files over HTTP', visits, FLOOR)
overHttp('256 KiB of files of 4 MiB over HTTP', ranges)
await byProcessor('mixed files over TLS, by processor time', (side) => overTls(side), FLOOR)
const hosts = ranks.slice(0, HANDSHAKES).map((rank) => hostOf(files[rank] as MixedFile))
const perSecond = (ms: number) => 1000 / ms
await byProcessor('handshakes, by processor time', async ({ process, httpsPort }) =>
  perSecond(await cpuMsOfHandshakes(process, httpsPort, hosts)),
)
await byProcessor('handshakes that resume a session', async ({ process, httpsPort }) =>
  perSecond(await cpuMsOfResumptions(process, httpsPort, hosts)),
)
report('Mixed sites: two workers / Caddy with two processors', rows)

function hostOf({ slug }: MixedFile): string {
  return `${slug}.localhost`
}

function visitOf(file: MixedFile): Visit {
  return { host: hostOf(file), path: `/${file.path}` }
}

function overHttp(what: string, asked: readonly Visit[], floor?: number): void {
  if (!isWanted(what)) return
  const load = ({ http, process }: Side): Load => ({ url: http, visits: asked, isBeside: true, server: process })
  const slices = inTurns({ service: load(service), other: load(other) }, ROUNDS)
  const middle = (of: Measured[], value: (one: Measured) => number) => median(of.map(value))
  const rate = (of: Measured[]) => middle(of, (one) => one.perSecond)
  const spent = (of: Measured[]) => middle(of, ({ processorUs }) => 1e6 / (processorUs as number))
  rows.push({ what, service: rate(slices.service), other: rate(slices.other), ...(floor && { floor }) })
  rows.push({ what: `${what}, by processor time`, service: spent(slices.service), other: spent(slices.other) })
}

async function byProcessor(what: string, measured: (side: Side) => Promise<number>, floor?: number): Promise<void> {
  if (!isWanted(what)) return
  const warmUntil = performance.now() + WARM_UP_SECONDS * 1000
  do for (const side of [service, other]) await measured(side)
  while (performance.now() < warmUntil)
  const slices: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) slices.push([await measured(service), await measured(other)])
  const ours = median(slices.map(([one]) => one))
  rows.push({ what, service: ours, other: median(slices.map(([, one]) => one)), ...(floor && { floor }) })
}

/** Requests in a second of the processor: each connection asks one host for its files. */
async function overTls({ process, httpsPort }: Side): Promise<number> {
  const before = processorMs(process)
  const byHost = Map.groupBy(visits, ({ host }) => host)
  let left = TLS_REQUESTS
  const place = async (index: number) => {
    const asked = byHost.get((visits[index] as Visit).host) as Visit[]
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let at = index; left-- > 0; at++) await fetchFile(agent, httpsPort, asked[at % asked.length] as Visit)
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => place(index)))
  return (TLS_REQUESTS * 1000) / (processorMs(process) - before)
}

function fetchFile(agent: Agent, port: number, { host, path }: Visit): Promise<void> {
  const headers = { Host: `${host}:${port}` }
  const options = { agent, host: '127.0.0.1', port, path, servername: host, rejectUnauthorized: false, headers }
  return new Promise((resolve, reject) => {
    get(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${host}${path} answered ${response.statusCode}`))
      response.resume().on('end', () => resolve())
    }).on('error', reject)
  })
}

/** One part alone: `node bench/sites.ts TLS`. */
function isWanted(what: string): boolean {
  return process.argv[2] === undefined || what.includes(process.argv[2])
}
