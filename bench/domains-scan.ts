import { randomUUID } from 'node:crypto'
import { CERTIFICATE_QUEUE } from '../src/features/domains/topics.ts'
import { CHECK_QUEUE } from '../src/features/domains/queries.ts'
import { DAY_MS, systemClock } from '../src/platform/clock.ts'
import type { Storage } from '../src/platform/storage/storage.ts'
import { hasDueWork, nextDueAfter } from '../src/platform/work/lease.ts'
import { claim, postpone } from '../src/platform/work/runner.ts'
import { openBenchStorage } from './domains-fill.ts'
import { report } from './report.ts'

const ROUNDS = 60
const CLAIMED_AT_ONCE = 8
const LEASE_MS = 30_000

/** What a look for due work costs, when nothing is due and when everything is, with few rows and with many. */
export async function scanDueWork(fewIn: string, manyIn: string, sizes: { few: number; many: number }): Promise<void> {
  await using few = await openBenchStorage(fewIn)
  await using many = await openBenchStorage(manyIn)
  const idle = await inTurns(few, many, lookInVain)
  const busy = await inTurns(few, many, claimAndPutBack)
  const [small, large] = [sizes.few.toLocaleString('en'), sizes.many.toLocaleString('en')]
  report(`The due-work scan, ${large} domains : ${small}`, [
    { what: 'looks a second, nothing due', service: 1e3 / idle.many, other: 1e3 / idle.few, floor: 1 / 2 },
    { what: 'claims a second, everything due', service: 1e3 / busy.many, other: 1e3 / busy.few, floor: 1 / 2 },
  ])
  const ms = (value: number) => `${value.toFixed(3)} ms`
  console.log(`  a look ${ms(idle.few)} → ${ms(idle.many)}, a claim with its end ${ms(busy.few)} → ${ms(busy.many)}`)
}

/** The runner's question on a quiet service: is anything due, and when will it be? */
async function lookInVain({ read, engine }: Storage): Promise<void> {
  for (const queue of [CHECK_QUEUE, CERTIFICATE_QUEUE]) {
    await hasDueWork(read, engine, { queue, now: systemClock.now(), busy: [] })
    await nextDueAfter(read, queue, systemClock.now())
  }
}

/** A year ahead everything is due; what was claimed goes to the end of the queue. */
async function claimAndPutBack(storage: Storage): Promise<void> {
  const now = systemClock.now() + 365 * DAY_MS
  const owners = Array.from({ length: CLAIMED_AT_ONCE }, () => randomUUID())
  const leases = await storage.write(claim, { queue: CHECK_QUEUE, owners, now, leaseMs: LEASE_MS, busy: [] })
  if (leases.length !== CLAIMED_AT_ONCE) throw new Error(`${leases.length} leases instead of ${CLAIMED_AT_ONCE}.`)
  await Promise.all(leases.map((lease) => storage.write(postpone, { lease, dueAt: lease.dueAt + DAY_MS, failures: 0 })))
}

/** The median of one call in ms; the first rounds warm both up. */
async function inTurns(few: Storage, many: Storage, call: (storage: Storage) => Promise<void>) {
  const taken: Record<'few' | 'many', number[]> = { few: [], many: [] }
  for (let round = -10; round < ROUNDS; round++) {
    for (const [name, storage] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const start = performance.now()
      await call(storage)
      if (round >= 0) taken[name].push(performance.now() - start)
    }
  }
  return { few: median(taken.few), many: median(taken.many) }
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
