import { type Clock, patience } from '../../../platform/clock.ts'
import { isPublicAddress, type ServerAddress } from '../../../platform/dns/address.ts'
import type { DnsClient, QuestionBudget } from '../../../platform/dns/client.ts'
import { type Ask, findZone } from '../../../platform/dns/delegation.ts'
import { isInZone, namesUpToTop } from '../../../platform/dns/name.ts'
import { followUp } from './follow-up.ts'
import { type Observation, type Subject, zoneOf } from './observation.ts'
import { type NamedServer, openQuestions, type Questions } from './questions.ts'

export interface ObserveNeeds {
  dns: DnsClient
  clock: Pick<Clock, 'now'>
  /** Where to begin: recursive resolvers, or the sandbox's own server. */
  resolvers: readonly ServerAddress[]
  /** Which nameserver addresses may be asked; the sandbox allows loopback. */
  mayAsk?: (address: string) => boolean
  portFor?: (nameserver: string, address: string) => number
  budgetMs?: number
  /** What its questions and their answers may use up. */
  budget?: QuestionBudget
}

/** Finds the zone's nameservers, asks every one, and keeps each answer. Never throws for what DNS does. */
export async function observe(needs: ObserveNeeds, subject: Subject): Promise<Observation> {
  const { dns, clock, resolvers, budgetMs = 10_000, mayAsk = isPublicAddress, portFor = () => 53 } = needs
  const startedAt = clock.now()
  using waiting = patience(budgetMs)
  const stop = new AbortController()
  const signal = AbortSignal.any([waiting.signal, stop.signal])
  const questions = openQuestions(dns, resolvers, { signal, ...(needs.budget && { budget: needs.budget }) })

  const besides = (['A', 'AAAA'] as const).map((type) => questions.askResolvers('target', subject.target, type))
  const ask: Ask = (...question) => questions.ask('delegation', ...question)
  const delegation = await findZone({ ask, resolvers, mayAsk, portFor }, subject.hostname)
  const zone = zoneOf({ delegation, registrable: subject.registrable })
  if (zone !== undefined) {
    const servers = delegation.nameservers.flatMap(({ name, addresses }) => addresses.map((at) => ({ ...at, name })))
    const above = namesUpToTop(subject.hostname).filter((name) => !isInZone(name, zone))
    await Promise.all([
      ...servers.map((server) => askNameserver(questions, subject, server, zone)),
      ...above.map((name) => questions.askResolvers('caa', name, 'CAA')),
    ])
    await followUp(questions, subject, zone)
  }
  await Promise.all(besides)
  const queries = [...questions.queries]
  const complete = !waiting.signal.aborted
  stop.abort()

  const finishedAt = clock.now()
  return { version: 1, ...subject, startedAt, finishedAt, complete, delegation, queries }
}

async function askNameserver(
  questions: Questions,
  { hostname, proofName, challengeName }: Subject,
  server: NamedServer,
  zone: string,
): Promise<void> {
  const [presence] = await questions.askServer('zone', server, zone, ['SOA'])
  // A server that is silent now would only be silent several times more.
  if (presence?.error !== null) return
  const caaNames = namesUpToTop(hostname).filter((name) => isInZone(name, zone))
  await Promise.all([
    questions.askServer('hostname', server, hostname, ['CNAME', 'A', 'AAAA']),
    ...caaNames.map((name) => questions.askServer('caa', server, name, ['CAA'])),
    ...(proofName === null ? [] : [questions.askServer('proof', server, proofName, ['TXT'])]),
    ...(challengeName === undefined ? [] : [questions.askServer('challenge', server, challengeName, ['CNAME'])]),
  ])
}
