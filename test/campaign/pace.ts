import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../harness/until.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'

/** How long a nemesis lets things be, and how long a fault lasts. */
export interface Pace {
  /** Between two faults. */
  rest(): Promise<void>
  /** While something is wrong with one instance, or with all. */
  endure(victim: number | undefined): Promise<void>
}

/** By the clock, as faults come in life. */
export function timedPace(random: Random, restMsMax: number, faultMsMax: number): Pace {
  return {
    rest: () => wait(restMsMax / 4 + random.below(restMsMax)),
    endure: () => wait(faultMsMax / 8 + random.below((faultMsMax * 7) / 8)),
  }
}

/**
 * By what gets done, so that a busy machine tries as much as an idle one: everybody writes before the next fault,
 * and while one instance is stopped or cut off the others write on.
 */
export function workPace({ served }: Pick<History, 'served'>, writes: number): Pace {
  const done = async (instances: readonly number[]) => {
    const before = served.map((moments) => moments.length)
    await until(`instances ${instances.join(', ')} acknowledge ${writes} writes`, () =>
      instances.every((instance) => (served[instance]?.length ?? 0) >= (before[instance] as number) + writes),
    )
  }
  const all = served.map((_, instance) => instance)
  return {
    rest: () => done(all),
    // What is wrong with all lasts a moment: nobody writes until it is mended.
    endure: (victim) => (victim === undefined ? wait(100) : done(all.filter((instance) => instance !== victim))),
  }
}
