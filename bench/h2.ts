import { Agent, get } from 'node:https'
import { type ClientHttp2Session, connect } from 'node:http2'
import { createInternalCa, createRoot } from '../src/features/certificates/authority/internal-ca.ts'
import { systemClock } from '../src/platform/clock.ts'
import { median, WARM_UP_SECONDS } from './load.ts'
import { processorMs } from './process-figures.ts'
import { report, type Row } from './report.ts'
import { type Server, startBareTls, startPetstore } from './servers.ts'

/**
 * HTTP/2 against HTTP/1.1 over TLS, the same file on as many connections, by the requests in a second of the server's
 * processor time: clients of HTTP/2 need more of it than the server. Beside it what Node itself makes of both, by
 * handlers that do nothing else.
 */
const PATH = '/docs/animals/reference.css'
const CONNECTIONS = 16
const REQUESTS = 6_000
const ROUNDS = 7
/** Of each slice: the kernel counts a processor's time in hundredths of a second. */
const SPENT_MIN_MS = 500

const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }, {}) })
const { privateKeyPem: key, chainPem: cert } = await ca.issue(['localhost'])
await using petstore = await startPetstore()
await using bare = await startBareTls(petstore, PATH, { key, cert })
const rows: Row[] = [...(await compare(10, 1.3)), ...(await compare(1, 0.65))]
report(`HTTP/2 over HTTP/1.1, all over TLS on ${CONNECTIONS} connections, one core`, rows)

async function compare(streams: number, floor: number): Promise<Row[]> {
  const warmUntil = performance.now() + 2 * WARM_UP_SECONDS * 1000
  const sides = {
    http2: () => perSecond(petstore, () => overHttp2(petstore.httpsPort, streams)),
    http1: () => perSecond(petstore, () => overHttp1(petstore.httpsPort)),
    bareHttp2: () => perSecond(bare, () => overHttp2(bare.http2Port, streams)),
    bareHttp1: () => perSecond(bare, () => overHttp1(bare.http1Port)),
  }
  type Side = keyof typeof sides
  const measured: Record<Side, number[]> = { http2: [], http1: [], bareHttp2: [], bareHttp1: [] }
  const slices = async () => {
    for (const side of Object.keys(sides) as Side[]) measured[side].push(await sides[side]())
  }
  do await slices()
  while (performance.now() < warmUntil)
  for (let round = 0; round < ROUNDS; round++) await slices()
  const of = (side: Side) => median(measured[side].slice(-ROUNDS))
  const what = `${streams} ${streams === 1 ? 'stream' : 'streams'}`
  return [
    { what: `${what} / HTTP/1.1`, service: of('http2'), other: of('http1'), floor },
    { what: `${what} / HTTP/1.1, both as bare Node serves them`, service: of('bareHttp2'), other: of('bareHttp1') },
    { what: `${what} / the same as bare Node serves it`, service: of('http2'), other: of('bareHttp2') },
  ]
}

async function perSecond({ process }: Server, send: () => Promise<void>): Promise<number> {
  const before = processorMs(process)
  let [requests, spentMs] = [0, 0]
  do {
    await send()
    requests += REQUESTS
    spentMs = processorMs(process) - before
  } while (spentMs < SPENT_MIN_MS)
  return (requests * 1000) / spentMs
}

async function overHttp1(port: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, rejectUnauthorized: false })
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(`https://localhost:${port}${PATH}`, { agent }, (response) => {
        response.resume().on('end', () => resolve())
      }).on('error', reject)
    })
  await inParallel(CONNECTIONS, one)
  agent.destroy()
}

async function overHttp2(port: number, streams: number): Promise<void> {
  const sessions = Array.from({ length: CONNECTIONS }, () =>
    connect(`https://localhost:${port}`, { rejectUnauthorized: false }),
  )
  let next = 0
  await inParallel(CONNECTIONS * streams, () => ask(sessions[next++ % CONNECTIONS] as ClientHttp2Session))
  for (const session of sessions) session.close()
}

function ask(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': PATH })
    stream.on('error', reject).on('end', () => resolve())
    stream.resume()
  })
}

async function inParallel(places: number, send: () => Promise<void>): Promise<void> {
  let left = REQUESTS
  await Promise.all(
    Array.from({ length: places }, async () => {
      while (left-- > 0) await send()
    }),
  )
}
