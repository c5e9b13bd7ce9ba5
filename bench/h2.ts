import { Agent, get } from 'node:https'
import { type ClientHttp2Session, connect } from 'node:http2'
import { median, WARM_UP_SECONDS } from './load.ts'
import { processorMs } from './process-figures.ts'
import { report, type Row } from './report.ts'
import { type PetstoreServer, startPetstore } from './servers.ts'

/**
 * HTTP/2 against HTTP/1.1 over TLS, the same file on as many connections, by the requests in a second of the server's
 * processor time: clients of HTTP/2 need more of it than the server.
 */
const PATH = '/docs/animals/reference.css'
const CONNECTIONS = 16
const REQUESTS = 6_000
const ROUNDS = 7
/** Of each slice: the kernel counts a processor's time in hundredths of a second. */
const SPENT_MIN_MS = 500

await using petstore = await startPetstore()
const { httpsPort } = petstore
const rows: Row[] = [await compare(10, 1.3), await compare(1, 0.65)]
report(`HTTP/2 over HTTP/1.1, both over TLS on ${CONNECTIONS} connections, one core`, rows)

async function compare(streams: number, floor: number): Promise<Row> {
  const warmUntil = performance.now() + 2 * WARM_UP_SECONDS * 1000
  const slice = async (): Promise<[number, number]> => [
    await perSecond(petstore, () => overHttp2(streams)),
    await perSecond(petstore, overHttp1),
  ]
  do await slice()
  while (performance.now() < warmUntil)
  const measured: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) measured.push(await slice())
  const what = `${streams} ${streams === 1 ? 'stream' : 'streams'} on a connection / HTTP/1.1`
  return { what, service: median(measured.map(([two]) => two)), other: median(measured.map(([, one]) => one)), floor }
}

async function perSecond({ process }: PetstoreServer, send: () => Promise<void>): Promise<number> {
  const before = processorMs(process)
  let [requests, spentMs] = [0, 0]
  do {
    await send()
    requests += REQUESTS
    spentMs = processorMs(process) - before
  } while (spentMs < SPENT_MIN_MS)
  return (requests * 1000) / spentMs
}

async function overHttp1(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, rejectUnauthorized: false })
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(`https://localhost:${httpsPort}${PATH}`, { agent }, (response) => {
        response.resume().on('end', () => resolve())
      }).on('error', reject)
    })
  await inParallel(CONNECTIONS, one)
  agent.destroy()
}

async function overHttp2(streams: number): Promise<void> {
  const sessions = Array.from({ length: CONNECTIONS }, () =>
    connect(`https://localhost:${httpsPort}`, { rejectUnauthorized: false }),
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
