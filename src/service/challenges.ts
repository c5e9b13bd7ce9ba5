import type { Config } from '../config.ts'
import { dnsChallengeText } from '../features/certificates/acme/dns-challenge.ts'
import { findDnsAnswers } from '../features/certificates/queries.ts'
import {
  CHALLENGE_SECRET,
  type ChallengeZone,
  openChallengeZone,
} from '../features/domains/preparation/challenge-zone.ts'
import type { Clock } from '../platform/clock.ts'
import { type AuthoritativeListener, openAuthoritativeListener } from '../platform/dns/authoritative/listener.ts'
import type { LabelZone } from '../platform/dns/authoritative/zone.ts'
import type { Log } from '../platform/log.ts'
import { whenThere } from '../platform/maybe-promise.ts'
import type { Metrics } from '../platform/metrics.ts'
import { FreshSingleFlight } from '../platform/single-flight.ts'
import { StartError } from '../platform/start-error.ts'
import { settledSecret } from '../platform/storage/setting.ts'
import type { Storage } from '../platform/storage/storage.ts'

interface ChallengesNeeds {
  config: Pick<Config, 'dnsZone'>
  storage: Storage
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'counter'>
  /** Other workers of this service have the same port open. */
  isShared: boolean
}

interface Challenges extends AsyncDisposable {
  /** Undefined where this installation answers for none. */
  readonly zone: ChallengeZone | undefined
}

/** The zone of challenges and its port: an authority is answered from storage by whichever instance it reaches. */
export async function openChallenges(needs: ChallengesNeeds): Promise<Challenges> {
  const { config, storage, clock, log, metrics, isShared } = needs
  if (!config.dnsZone) return { zone: undefined, [Symbol.asyncDispose]: async () => {} }
  const { zone: apex, nameservers, listen } = config.dnsZone
  const secret = await settledSecret(storage, CHALLENGE_SECRET)
  const zone = openChallengeZone(apex, secret)
  await using opening = new AsyncDisposableStack()
  const listeners: AuthoritativeListener[] = []
  for (const at of listen) {
    const onError = (error: unknown) => log.error({ err: error }, 'a DNS question could not be answered')
    const labels = labelZone(zone, nameservers, storage)
    const listener = openAuthoritativeListener({ clock, zone: labels, at, onError }, { isShared })
    listeners.push(opening.use(await listener.catch((error: NodeJS.ErrnoException) => refuse(error, at))))
  }
  const sum = (name: 'answered' | 'limited') => listeners.reduce((total, { counts }) => total + counts[name], 0)
  if (listeners.length > 0) {
    metrics.counter('petstore_dns_answers', 'Datagrams sent by the DNS listener.', () => sum('answered'))
    metrics.counter('petstore_dns_limited', 'DNS questions beyond the rate of their network.', () => sum('limited'))
  }
  const running = opening.move()
  return { zone, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** The answers of dns-01, and nothing else. */
export function labelZone(
  zone: ChallengeZone,
  nameservers: LabelZone['nameservers'],
  storage: Pick<Storage, 'read' | 'engine'>,
): LabelZone {
  // One that is stored is there for whoever asks next: an authority asks as soon as it is told.
  const flights = new FreshSingleFlight<readonly string[]>()
  const find = (label: string) =>
    whenThere(findDnsAnswers(storage.read, { label }), (rows) =>
      rows.map(({ key_authorization }) => dnsChallengeText(key_authorization)),
    )
  return {
    apex: zone.apex,
    nameservers,
    has: zone.isLabel,
    // In this process the answer is there at once; over the network many who ask share one question.
    textsAt: (label) => (storage.engine === 'sqlite' ? find(label) : flights.ask(label, async () => find(label))),
  }
}

function refuse(error: NodeJS.ErrnoException, { address, port }: { address: string; port: number }): never {
  const why = error.code === 'EACCES' ? 'may not be opened by this user' : `cannot be opened (${error.code})`
  throw new StartError(`Port ${port} of ${address} ${why}: free it, or choose another with PETSTORE_DNS_LISTEN.`)
}
