import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from '../../../platform/clock.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import { listServedHostnames } from '../../domains/queries.ts'
import { splitChain } from '../authority/split-chain.ts'
import { findServedCertificate } from '../queries.ts'
import { judgeServed, type Wanted } from './judge.ts'
import { type EdgeAddress, lookAtEdge } from './look.ts'
import { type Look, recordLooks, sweepLooks } from './watch-writes.ts'

export interface WatchNeeds {
  /** Writes in the service's own name, with audit entries. */
  storage: AuditedStorage
  clock: Clock
  /** What this instance is called in the matrix, also after a restart. */
  instance: string
  edge: EdgeAddress
  onError(error: unknown): void
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

/** One look at every name that is live. */
export async function watchRound(needs: WatchNeeds, { everyMs }: WatchOptions, signal: AbortSignal): Promise<void> {
  const { storage, clock, instance } = needs
  const roundBegan = clock.now()
  let after = ''
  for (;;) {
    const hostnames = await listServedHostnames(storage.read, after, BATCH)
    await lookAtNames(needs, hostnames, signal)
    if (signal.aborted) return
    if (hostnames.length < BATCH) break
    after = hostnames.at(-1) as string
    await clock.sleep(BATCH_PAUSE_MIN_MS, signal)
  }
  const now = clock.now()
  const goneBefore = now - Math.max(3 * everyMs, GONE_AFTER_MIN_MS)
  await storage.write(sweepLooks, { instance, roundBegan, goneBefore, now })
}

async function lookAtNames(needs: WatchNeeds, hostnames: readonly string[], signal: AbortSignal): Promise<void> {
  const { storage, clock, instance } = needs
  const looks: Look[] = []
  for (const hostname of hostnames) {
    const look = await lookAt(needs, hostname)
    if (look) looks.push(look)
  }
  // What is wrong may only be new: it counts when it is still so after a while.
  if (looks.some(({ problem }) => problem !== null)) await clock.sleep(CONFIRM_AFTER_MS, signal)
  if (signal.aborted) return
  const confirmed: Look[] = []
  for (const look of looks) {
    const again = look.problem === null ? look : await lookAt(needs, look.hostname)
    if (again) confirmed.push(again)
  }
  if (confirmed.length > 0) await storage.write(recordLooks, { instance, looks: confirmed, now: clock.now() })
}

/** Undefined for a name without a certificate: whoever orders it tells of that. */
async function lookAt({ storage, clock, edge }: WatchNeeds, hostname: string): Promise<Look | undefined> {
  // Of a wildcard, a name that nobody else has.
  const seen = await lookAtEdge(edge, hostname.replace(/^\*\./, 'petstore-watch.'))
  const [row] = await findServedCertificate(storage.read, { hostname, now: clock.now() })
  if (!row) return undefined
  const wanted: Wanted = {
    notAfter: row.not_after,
    chain: splitChain(row.chain).map(({ fingerprint256 }) => fingerprint256),
  }
  return { hostname, seen, problem: judgeServed(seen, wanted, clock.now()) }
}
