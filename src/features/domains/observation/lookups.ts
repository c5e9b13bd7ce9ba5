import type { Clock } from '../../../platform/clock.ts'
import type { DnsNetwork } from '../../../platform/dns/network.ts'
import { Thread } from '../../../platform/thread/thread.ts'
import type { FoundProvider } from '../connect/look-up.ts'
import type { Diagnosis, Expectation } from '../diagnosis/diagnose.ts'
import type { NamedResolver, ResolverAnswer } from '../switch/ask-resolvers.ts'
import type { Addresses } from './addresses.ts'
import type { CheckedDns } from './checked.ts'
import type { LookupReply, LookupRequest } from './lookup-thread.ts'
import type { Subject } from './observation.ts'

interface LookupsNeeds {
  clock: Clock
  network: DnsNetwork
  thread: LookupThread
}

/** DNS on a thread of its own: whatever a nameserver sends, nobody's request waits for its decoding. */
export interface Lookups extends AsyncDisposable {
  check(subject: Subject, expectation: Expectation): Promise<CheckedDns>
  /** What a check found, read again from its evidence. */
  diagnosisOf(packed: string): Promise<Diagnosis>
  addresses(hostname: string): Promise<Addresses>
  /** Who says in DNS that they run the zone of a hostname. */
  provider(hostname: string, registrable: string): Promise<FoundProvider>
  /** The TXT records at a name, as the resolvers have them. */
  texts(name: string): Promise<string[]>
  /** What each of these resolvers has for a hostname. */
  askResolvers(hostname: string, resolvers: readonly NamedResolver[]): Promise<ResolverAnswer[]>
}

export type LookupThread = Pick<Thread<LookupRequest, LookupReply>, 'run' | typeof Symbol.asyncDispose>

export function openLookupThread(onError: (error: unknown) => void): LookupThread {
  return new Thread({
    module: new URL('./lookup-thread.ts', import.meta.url),
    purpose: 'DNS look-ups',
    pendingMax: PENDING_MAX,
    timeoutMs: HANGS_AFTER_MS,
    heapMegabytes: 64,
    onError,
  })
}

export function openLookups({ clock, network, thread }: LookupsNeeds): Lookups {
  const about = () => ({ network, now: clock.now() })
  const ask = <Reply>(request: LookupRequest) => thread.run(request) as Promise<Reply>
  return {
    check: (subject, expectation) => ask({ kind: 'check', subject, expectation, ...about() }),
    diagnosisOf: (packed) => ask({ kind: 'diagnosis', packed, ...about() }),
    addresses: (hostname) => ask({ kind: 'addresses', hostname, ...about() }),
    provider: (hostname, registrable) => ask({ kind: 'provider', hostname, registrable, ...about() }),
    askResolvers: (hostname, resolvers) => ask({ kind: 'resolvers', hostname, resolvers, ...about() }),
    texts: (name) => ask({ kind: 'texts', name, ...about() }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

const PENDING_MAX = 256
// Three times as long as a check may take.
const HANGS_AFTER_MS = 30_000
