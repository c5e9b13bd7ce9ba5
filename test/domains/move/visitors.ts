import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Clock, MINUTE_MS } from '../../../src/platform/clock.ts'
import type { ServerAddress } from '../../../src/platform/dns/address.ts'
import { until } from '../../harness/until.ts'
import { openStub, type Stub } from './stub.ts'

/** Who listens at an address of the world, on loopback, and what must be read there. */
export interface WorldHost {
  ports: { http: number; https: number }
  body: string
}

export interface VisitorsNeeds {
  hostname: string
  clock: Pick<Clock, 'now'>
  resolvers: readonly ServerAddress[]
  /** By every address that DNS may lead to. */
  hosts: ReadonlyMap<string, WorldHost>
  /** The roots that visitors trust, and no others. */
  trusted: readonly string[]
}

export interface VisitorsOptions {
  count: number
  /** None of them ever speaks plain HTTP. */
  httpsOnly: boolean
}

export interface Visitors extends AsyncDisposable {
  readonly count: number
  /** Answers that were right, by the address that gave them. */
  readonly answered: ReadonlyMap<string, number>
  readonly asked: number
  /** What went wrong, in words. */
  readonly failures: readonly string[]
  /** Those among them that a browser would show as a warning. */
  readonly certificateErrors: readonly string[]
  /** Everybody has begun and ended a visit since. */
  askAgain(): Promise<void>
}

/**
 * Of the machine's time; by the clock of the test, which stands still meanwhile, nobody pauses. A visit takes a third
 * of a millisecond of the processor: without this 200 loops would leave no room for the service.
 */
const AGAIN_AFTER_MS = 2000
/** For how long Chromium and Firefox keep what the system's resolver says, which tells them no TTL. */
const BROWSER_MEMORY_MS = MINUTE_MS
const CERTIFICATE_ERROR = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/

/**
 * People who ask for one page again and again, each by a connection that is kept and given up only when their resolver
 * gives another address. Half of them prefer IPv6, half remember addresses as browsers do, half begin at http://.
 */
export async function openVisitors(needs: VisitorsNeeds, { count, httpsOnly }: VisitorsOptions): Promise<Visitors> {
  await using building = new AsyncDisposableStack()
  const stubs: Stub[] = []
  for (const resolver of needs.resolvers) stubs.push(building.use(await openStub(resolver)))
  const secureContext = createSecureContext({ ca: [...needs.trusted] })
  const answered = new Map<string, number>()
  const failures: string[] = []
  const certificateErrors: string[] = []
  const zeros = () => Array.from({ length: count }, () => 0)
  const tally = { begun: zeros(), ended: zeros(), wanted: zeros() }
  const pausing = new Set<() => void>()
  let isOver = false
  const pause = () =>
    new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        pausing.delete(goOn)
        resolve()
      }
      const timer = setTimeout(goOn, AGAIN_AFTER_MS)
      pausing.add(goOn)
    })
  const endPauses = () => pausing.forEach((goOn) => goOn())

  const visitors = Array.from({ length: count }, async (_, index) => {
    const is = (bit: number) => (Math.floor(index / needs.resolvers.length) & bit) !== 0
    const stub = stubs[index % stubs.length]!
    const manners = { prefersIpv6: is(1), remembers: is(2), beginsPlain: !httpsOnly && is(4) }
    using visitor = newVisitor({ ...needs, stub, secureContext }, manners)
    while (!isOver) {
      tally.begun[index]!++
      try {
        const address = await visitor.visit()
        answered.set(address, (answered.get(address) ?? 0) + 1)
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException
        const failure = `${new Date(needs.clock.now()).toISOString()} visitor ${index}: ${code} ${message}`
        failures.push(failure)
        if (CERTIFICATE_ERROR.test(code)) certificateErrors.push(failure)
      }
      tally.ended[index]!++
      if (tally.ended[index]! >= tally.wanted[index]!) await pause()
    }
  })
  building.defer(async () => {
    isOver = true
    endPauses()
    await Promise.all(visitors)
  })
  const running = building.move()
  return {
    count,
    answered,
    failures,
    certificateErrors,
    get asked() {
      return tally.ended.reduce((sum, each) => sum + each, 0)
    },
    async askAgain() {
      const { begun, ended } = tally
      const wanted = (tally.wanted = begun.map((visits) => visits + 1))
      endPauses()
      await until('everybody has asked again', () => ended.every((visits, index) => visits >= wanted[index]!))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

interface Manners {
  prefersIpv6: boolean
  remembers: boolean
  beginsPlain: boolean
}

interface VisitorNeeds extends Pick<VisitorsNeeds, 'hostname' | 'clock' | 'hosts'> {
  stub: Stub
  secureContext: SecureContext
}

function newVisitor(needs: VisitorNeeds, { prefersIpv6, remembers, beginsPlain }: Manners) {
  const { hostname, clock, hosts, stub, secureContext } = needs
  let memory = { address: '', until: 0 }
  let connected = { address: '', agents: newAgents(secureContext) }

  async function find(): Promise<string> {
    if (memory.until > clock.now()) return memory.address
    const v6 = prefersIpv6 ? await stub.addressOf(hostname, 'AAAA') : undefined
    const address = v6 ?? (await stub.addressOf(hostname, 'A'))
    if (address === undefined) throw new Error(`${hostname} has no address`)
    if (remembers) memory = { address, until: clock.now() + BROWSER_MEMORY_MS }
    return address
  }

  function get(scheme: 'http' | 'https', { ports }: WorldHost): Promise<Page> {
    const { agents } = connected
    const at = { host: '127.0.0.1', port: ports[scheme], headers: { Host: hostname } }
    return new Promise((resolve, reject) => {
      const read = (response: IncomingMessage) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        const { statusCode: status = 0, headers } = response
        response.on('error', reject).on('end', () => resolve({ status, location: headers.location, body }))
      }
      const request =
        scheme === 'http'
          ? httpRequest({ ...at, agent: agents.http }, read)
          : httpsRequest({ ...at, agent: agents.https, servername: hostname }, read)
      request.on('error', reject).end()
    })
  }

  return {
    /** Where the answer came from; throws unless it is the page that is served there. */
    async visit(): Promise<string> {
      const address = await find()
      const host = hosts.get(address)
      if (!host) throw new Error(`nobody is at ${address}`)
      if (address !== connected.address) {
        connected.agents[Symbol.dispose]()
        connected = { address, agents: newAgents(secureContext) }
      }
      const first = await get(beginsPlain ? 'http' : 'https', host)
      const { status, body } = leadsToHttps(first, hostname) ? await get('https', host) : first
      if (status !== 200 || !body.includes(host.body)) throw new Error(`${address} answers ${status}: ${body}`)
      return address
    },
    [Symbol.dispose]: () => connected.agents[Symbol.dispose](),
  }
}

interface Page {
  status: number
  location: string | undefined
  body: string
}

function leadsToHttps({ status, location = '' }: Page, hostname: string): boolean {
  const to = URL.parse(location)
  return (status === 301 || status === 308) && to?.protocol === 'https:' && to.hostname === hostname
}

/** One connection of each kind. No session is resumed, so that every certificate is looked at. */
function newAgents(secureContext: SecureContext) {
  const http = new HttpAgent({ keepAlive: true, maxSockets: 1 })
  const https = new HttpsAgent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0, secureContext })
  return {
    http,
    https,
    [Symbol.dispose]() {
      http.destroy()
      https.destroy()
    },
  }
}
