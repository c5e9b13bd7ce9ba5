import type { ServerAddress } from '../../../platform/dns/address.ts'
import type { AskOptions, DnsClient } from '../../../platform/dns/client.ts'
import { firstUsable } from '../../../platform/dns/first-usable.ts'
import type { QuestionType } from '../../../platform/dns/message.ts'
import type { Purpose, Query } from './observation.ts'

export interface NamedServer extends ServerAddress {
  name: string | null
}

/** The questions of one observation: each records its own answer, and all end when the signal says so. */
export interface Questions {
  readonly queries: readonly Query[]
  ask(purpose: Purpose, server: ServerAddress, name: string, type: QuestionType, how?: AskOptions): Promise<Query>
  askServer(purpose: Purpose, server: NamedServer, name: string, types: readonly QuestionType[]): Promise<Query[]>
  /** The first resolver that answers; undefined when none does. */
  askResolvers(purpose: Purpose, name: string, type: QuestionType, how?: AskOptions): Promise<Query | undefined>
}

export function openQuestions(
  dns: DnsClient,
  resolvers: readonly ServerAddress[],
  bounds: Pick<AskOptions, 'signal' | 'budget'>,
): Questions {
  const queries: Query[] = []
  const ask: Questions['ask'] = async (purpose, { address, port }, name, type, how) => {
    const exchange = await dns.ask({ address, port }, name, type, { ...how, ...bounds })
    const query: Query = { id: `q${queries.length + 1}`, purpose, ...exchange }
    queries.push(query)
    return query
  }
  return {
    queries,
    ask,
    askServer: (purpose, server, name, types) =>
      Promise.all(types.map((type) => ask(purpose, server, name, type, { serverName: server.name }))),
    async askResolvers(purpose, name, type, how) {
      const attempts = resolvers.map((server) => () => ask(purpose, server, name, type, { recursion: true, ...how }))
      return (await firstUsable(attempts, ({ rcode }) => rcode === 'NOERROR' || rcode === 'NXDOMAIN')).usable
    },
  }
}
