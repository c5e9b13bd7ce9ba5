import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, RECURSION_AVAILABLE } from 'dns-packet'
import { type Clock, SECOND_MS, systemClock } from '../../../src/platform/clock.ts'
import type { ServerAddress } from '../../../src/platform/dns/address.ts'
import { createDnsClient } from '../../../src/platform/dns/client.ts'
import type { QuestionType } from '../../../src/platform/dns/message.ts'
import { type DnsRecord, recordsOf, recordToWire } from '../../../src/platform/dns/record.ts'
import { SingleFlight } from '../../../src/platform/single-flight.ts'

/** What a provider gives its customers: a resolver that keeps every answer for its whole TTL. */
export interface CachingResolver extends ServerAddress, AsyncDisposable {
  /** As after a restart. */
  forget(): void
}

interface Kept {
  records: DnsRecord[]
  until: number
}

const CNAMES_MAX = 8
const SERVFAIL = 2

/** Stays with one nameserver, as resolvers do with the one that answers them first. */
export async function openCachingResolver(needs: {
  clock: Pick<Clock, 'now'>
  nameserver: ServerAddress
}): Promise<CachingResolver> {
  const { clock, nameserver } = needs
  const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000 })
  const cache = new Map<string, Kept>()
  const flights = new SingleFlight<Kept>()
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')

  /** What the name itself has: where a CNAME leads has a TTL of its own. */
  async function look(name: string, type: QuestionType): Promise<Kept> {
    const { answers, authority, error } = await client.ask(nameserver, name, type)
    if (error !== null) throw new Error(error.message)
    const records = answers.filter((record) => record.name === name)
    const ttls = (records.length > 0 ? records : recordsOf(authority, 'SOA')).map(({ ttl }) => ttl)
    const kept = { records, until: clock.now() + Math.min(...ttls) * SECOND_MS }
    cache.set(`${type} ${name}`, kept)
    return kept
  }

  async function resolve(name: string, type: QuestionType, hops = 0): Promise<DnsRecord[]> {
    const key = `${type} ${name}`
    const known = cache.get(key)
    const isFresh = known !== undefined && known.until > clock.now()
    const { records, until } = isFresh ? known : await flights.join(key, () => look(name, type))
    const ttl = Math.max(0, Math.floor((until - clock.now()) / SECOND_MS))
    const told = records.map((record) => Object.assign({}, record, { ttl }))
    const [cname] = recordsOf(records, 'CNAME')
    return cname && hops < CNAMES_MAX ? [...told, ...(await resolve(cname.data, type, hops + 1))] : told
  }

  const answersTo = async ({ name, type }: { name: string; type: string }) => {
    const records = await resolve(name.toLowerCase(), type as QuestionType)
    return records.filter((record) => record.type !== 'OTHER').map(recordToWire)
  }
  socket.on('message', async (packet, { port, address }) => {
    const { id, questions = [] } = decode(packet)
    const [question] = questions
    const header = { type: 'response', id, questions } as const
    const reply = await answersTo(question!).then(
      (answers) => encode({ ...header, flags: RECURSION_AVAILABLE, answers }),
      () => encode({ ...header, flags: RECURSION_AVAILABLE | SERVFAIL }),
    )
    if (!isClosed) socket.send(reply, port, address)
  })
  let isClosed = false
  return {
    address: '127.0.0.1',
    port: socket.address().port,
    forget: () => cache.clear(),
    async [Symbol.asyncDispose]() {
      isClosed = true
      socket.close()
    },
  }
}
