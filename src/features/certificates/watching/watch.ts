import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from '../../../platform/clock.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import { visitName } from '../../domains/preparation/challenge-zone.ts'
import { listServedHostnames } from '../../domains/queries.ts'
import { splitChain } from '../authority/split-chain.ts'
import { findServedCertificate } from '../queries.ts'
import { judgeServed, SERVED_WORDS } from './judge.ts'
import { type EdgeAddress, lookAtEdge } from './look.ts'
import { type Look, recordLooks, sweepLooks } from './watch-writes.ts'

export interface WatchNeeds {
  /** Writes in the service's own name, with audit entries. */
  storage: AuditedStorage
  clock: Clock
  /** What this instance is called in the matrix, also after a restart. */
  instance: string
  edge: EdgeAddress
  /** The names of the platform itself, of which no project's people hear. */
  platform: {
    names(): Promise<readonly WatchedName[]>
    /** The chain that should be shown there. */
    chainAt(visitName: string): Promise<string | undefined>
    onProblem(hostname: string, found: string): void
  }
  onError(error: unknown): void
}

export interface WatchedName {
  hostname: string
  /** Where it is looked at: for a wildcard, one of the names that it stands for. */
  visitName: string
}

interface WatchOptions {
  /** How often every name is looked at, as long as there are not too many for that. */
  everyMs: number
}

/** So many names are looked at one after the other, and kept in one write. */
const BATCH = 8
/** A look takes 5 ms of a processor, both ends of it: with any number of names that is less than one percent. */
const BATCH_PAUSE_MIN_MS = 5 * SECOND_MS
const FIRST_LOOK_AFTER_MS = MINUTE_MS
/** Everybody hears of a new certificate within a second. */
const CONFIRM_AFTER_MS = 3 * SECOND_MS
const GONE_AFTER_MIN_MS = HOUR_MS

/** Looks at what this instance really serves, round after round, at the same pace however many names there are. */
export function startWatching(needs: WatchNeeds, { everyMs }: WatchOptions): AsyncDisposable {
  const { clock, onError } = needs
  const stop = new AbortController()
  const running = (async () => {
    await clock.sleep(Math.min(FIRST_LOOK_AFTER_MS, everyMs), stop.signal)
    while (!stop.signal.aborted) {
      const began = clock.now()
      await watchRound(needs, { everyMs }, stop.signal).catch(onError)
      await clock.sleep(Math.max(BATCH_PAUSE_MIN_MS, began + everyMs - clock.now()), stop.signal)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}

/** One look at every name that is served: the platform's own, live domains, and those that are prepared. */
export async function watchRound(needs: WatchNeeds, { everyMs }: WatchOptions, signal: AbortSignal): Promise<void> {
  const { storage, clock, instance } = needs
  const roundBegan = clock.now()
  await lookAtPlatform(needs, signal)
  let after = ''
  for (;;) {
    const hostnames = await listServedHostnames(storage.read, after, BATCH)
    await lookAtDomains(needs, hostnames, signal)
    if (signal.aborted) return
    if (hostnames.length < BATCH) break
    after = hostnames.at(-1) as string
    await clock.sleep(BATCH_PAUSE_MIN_MS, signal)
  }
  const now = clock.now()
  const goneBefore = now - Math.max(3 * everyMs, GONE_AFTER_MIN_MS)
  await storage.write(sweepLooks, { instance, roundBegan, goneBefore, now })
}

async function lookAtPlatform(needs: WatchNeeds, signal: AbortSignal): Promise<void> {
  const { names, chainAt, onProblem } = needs.platform
  const platform = { names: await names(), isPlatforms: true }
  const looks = await lookAtNames(needs, platform, (name) => chainAt(name.visitName), signal)
  for (const { hostname, problem } of looks) if (problem !== null) onProblem(hostname, SERVED_WORDS[problem])
}

function lookAtDomains(needs: WatchNeeds, hostnames: readonly string[], signal: AbortSignal): Promise<Look[]> {
  const { storage, clock } = needs
  const names = hostnames.map((hostname) => ({ hostname, visitName: visitName(hostname) }))
  const chainOf = async ({ hostname }: WatchedName) =>
    (await findServedCertificate(storage.read, { hostname, now: clock.now() }))[0]?.chain
  return lookAtNames(needs, { names, isPlatforms: false }, chainOf, signal)
}

type ChainOf = (name: WatchedName) => Promise<string | undefined>

async function lookAtNames(
  needs: WatchNeeds,
  { names, isPlatforms }: { names: readonly WatchedName[]; isPlatforms: boolean },
  chainOf: ChainOf,
  signal: AbortSignal,
): Promise<Look[]> {
  const { storage, clock, instance } = needs
  const looks = new Map<WatchedName, Look>()
  const look = async (name: WatchedName) => {
    const found = await lookAt(needs, name, chainOf)
    if (found) looks.set(name, found)
    else looks.delete(name)
  }
  for (const name of names) await look(name)
  const wrong = [...looks].filter(([, { problem }]) => problem !== null)
  // What is wrong may only be new: it counts when it is still so after a while.
  if (wrong.length > 0) await clock.sleep(CONFIRM_AFTER_MS, signal)
  if (signal.aborted) return []
  for (const [name] of wrong) await look(name)
  const confirmed = [...looks.values()]
  const kept = { instance, isPlatforms, looks: confirmed, now: clock.now() }
  if (confirmed.length > 0) await storage.write(recordLooks, kept)
  return confirmed
}

/** Undefined for a name without a certificate: whoever orders it tells of that. */
async function lookAt({ clock, edge }: WatchNeeds, name: WatchedName, chainOf: ChainOf): Promise<Look | undefined> {
  const seen = await lookAtEdge(edge, name.visitName)
  const chainPem = await chainOf(name)
  if (chainPem === undefined) return undefined
  const chain = splitChain(chainPem).map(({ fingerprint256 }) => fingerprint256)
  return { hostname: name.hostname, seen, problem: judgeServed(seen, { chain }, clock.now()) }
}
