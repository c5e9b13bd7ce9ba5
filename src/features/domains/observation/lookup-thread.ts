import { systemClock } from '../../../platform/clock.ts'
import { createDnsClient } from '../../../platform/dns/client.ts'
import { type DnsNetwork, nameserverRules } from '../../../platform/dns/network.ts'
import { answerRequests } from '../../../platform/thread/answer.ts'
import type { Diagnosis, Expectation } from '../diagnosis/diagnose.ts'
import { type FoundProvider, lookUpProvider, lookUpTexts } from '../connect/look-up.ts'
import { askResolvers, type NamedResolver, type ResolverAnswer } from '../switch/ask-resolvers.ts'
import { type Addresses, lookUpAddresses } from './addresses.ts'
import { checkDns, type CheckedDns, diagnosisIn } from './checked.ts'
import type { Subject } from './observation.ts'

/** Plain data, because another thread asks; each brings whom it may ask, and the time. */
export type LookupRequest = { network: DnsNetwork; now: number } & (
  | { kind: 'check'; subject: Subject; expectation: Expectation }
  | { kind: 'diagnosis'; packed: string }
  | { kind: 'addresses'; hostname: string }
  | { kind: 'provider'; hostname: string; registrable: string }
  | { kind: 'texts'; name: string }
  | { kind: 'resolvers'; hostname: string; resolvers: readonly NamedResolver[] }
)

export type LookupReply = CheckedDns | Diagnosis | Addresses | FoundProvider | string[] | ResolverAnswer[]

// The service's own clock may be another one than this thread's: every request brings its time.
let aheadMs = 0
const clock = { now: () => systemClock.now() + aheadMs }
const dns = createDnsClient({ clock })

answerRequests<LookupRequest, LookupReply>(async (request) => {
  const { network } = request
  const needs = { dns, clock, resolvers: network.resolvers, ...nameserverRules(network) }
  aheadMs = request.now - systemClock.now()
  switch (request.kind) {
    case 'check':
      return checkDns(needs, request.subject, request.expectation)
    case 'diagnosis':
      return diagnosisIn(request.packed)
    case 'addresses':
      return lookUpAddresses(needs, request.hostname)
    case 'provider':
      return lookUpProvider(needs, request)
    case 'texts':
      return lookUpTexts(needs, request.name)
    case 'resolvers':
      return askResolvers(needs, request.hostname, request.resolvers)
  }
})
