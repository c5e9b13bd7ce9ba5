import type { Exchange } from '../../../platform/dns/client.ts'
import type { Delegation } from '../../../platform/dns/delegation.ts'
import { isInZone } from '../../../platform/dns/name.ts'
import { recordsOf } from '../../../platform/dns/record.ts'

/** Why a question was asked; what `diagnose` finds its evidence by. */
export type Purpose =
  /** The way down to the zone's nameservers. */
  | 'delegation'
  /** The zone's SOA at each nameserver: is it there, and which version does it serve. */
  | 'zone'
  /** CNAME, A and AAAA of the hostname at each nameserver. */
  | 'hostname'
  /** Types that forbid a CNAME at the same name. */
  | 'beside'
  | 'proof'
  /** Whether the name that an authority asks for with dns-01 is delegated to us. */
  | 'challenge'
  | 'caa'
  /** The names that a CNAME leads to. */
  | 'chain'
  /** `www.example.com.example.com`, where a record lands when the provider adds the domain once more. */
  | 'doubled'
  /** A name that nobody would create, to recognise a wildcard by its answer. */
  | 'wildcard'
  /** The addresses of the target itself. */
  | 'target'
  /** What a public resolver says at this moment. */
  | 'resolver'

export interface Query extends Exchange {
  id: string
  purpose: Purpose
}

/** What is observed: the hostname and what it should lead to. */
export interface Subject {
  hostname: string
  registrable: string
  target: string
  /** Where the TXT proof of a contested hostname must stand. */
  proofName: string | null
  /** Where dns-01 is looked for; absent where this installation has no zone for it. */
  challengeName?: string
}

/** Everything that DNS said about a hostname: plain JSON, complete enough to diagnose again without a network. */
export interface Observation extends Subject {
  version: 1
  startedAt: number
  finishedAt: number
  /** False when the time for all questions ran out. */
  complete: boolean
  delegation: Delegation
  queries: Query[]
}

/** A longer chain of CNAMEs counts as too long: resolvers give up between 8 and 16. */
export const CNAMES_MAX = 8

/**
 * The zone that answers for the hostname. A zone above the registrable domain is one only if the hostname exists in
 * it, as below suffixes that delegate nothing; otherwise nobody registered the domain.
 */
export function zoneOf({
  delegation,
  registrable,
}: Pick<Observation, 'delegation' | 'registrable'>): string | undefined {
  const { zone, rcode } = delegation
  if (zone === null) return undefined
  return isInZone(zone, registrable) || (zone !== '.' && rcode === 'NOERROR') ? zone : undefined
}

/** Where the CNAMEs of one answer lead; stops when they run in a circle. */
export function endOfAliases(name: string, answers: Query['answers']): string {
  const seen = new Set<string>()
  let at = name
  while (!seen.has(at)) {
    seen.add(at)
    at = recordsOf(answers, 'CNAME', at)[0]?.data ?? at
  }
  return at
}
