import { type Clock, patience } from '../../../platform/clock.ts'
import { isPublicAddress, type ServerAddress } from '../../../platform/dns/address.ts'
import type { DnsClient } from '../../../platform/dns/client.ts'
import { type Ask, findZone } from '../../../platform/dns/delegation.ts'
import { firstUsable } from '../../../platform/dns/first-usable.ts'
import { recordsOf } from '../../../platform/dns/record.ts'
import { zoneOf } from '../observation/observation.ts'

interface LookUpNeeds {
  dns: DnsClient
  clock: Pick<Clock, 'now'>
  resolvers: readonly ServerAddress[]
  mayAsk?: (address: string) => boolean
  portFor?: (nameserver: string, address: string) => number
}

/** Where the zone of a hostname begins, and where its provider says that it can be talked to. */
export interface FoundProvider {
  zone: string | null
  /** The TXT record at `_domainconnect`: host and perhaps a path. */
  prefix: string | null
  /** How many packets it took. */
  questions: number
}

const QUESTIONS_MAX = 60
const ANSWER_BYTES_MAX = 64 * 1024
const TIME_MAX_MS = 6000

export async function lookUpProvider(
  needs: LookUpNeeds,
  { hostname, registrable }: { hostname: string; registrable: string },
): Promise<FoundProvider> {
  const { dns, resolvers, mayAsk = isPublicAddress, portFor = () => 53 } = needs
  const budget = { questions: QUESTIONS_MAX, bytes: ANSWER_BYTES_MAX }
  using waiting = patience(TIME_MAX_MS)
  const { signal } = waiting
  const ask: Ask = (server, name, type, how) => dns.ask(server, name, type, { ...how, budget, signal })
  const delegation = await findZone({ ask, resolvers, mayAsk, portFor }, hostname)
  const zone = zoneOf({ delegation, registrable }) ?? null
  const texts = zone === null ? [] : await textsAt({ ask, resolvers }, `_domainconnect.${zone}`)
  return { zone, prefix: texts.length === 1 ? (texts[0] as string) : null, questions: QUESTIONS_MAX - budget.questions }
}

export async function lookUpTexts({ dns, resolvers }: LookUpNeeds, name: string): Promise<string[]> {
  using waiting = patience(TIME_MAX_MS)
  const { signal } = waiting
  const ask: Ask = (server, at, type, how) => dns.ask(server, at, type, { ...how, signal })
  return await textsAt({ ask, resolvers }, name)
}

async function textsAt(
  { ask, resolvers }: { ask: Ask; resolvers: readonly ServerAddress[] },
  name: string,
): Promise<string[]> {
  const attempts = resolvers.map((server) => () => ask(server, name, 'TXT', { recursion: true }))
  const { usable } = await firstUsable(attempts, ({ rcode }) => rcode === 'NOERROR' || rcode === 'NXDOMAIN')
  return recordsOf(usable?.answers ?? [], 'TXT').map(({ data }) => data)
}
