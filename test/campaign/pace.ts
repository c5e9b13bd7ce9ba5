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

/**
 * By the clock, as faults come in life; but nothing is done to a service that has not written since it was mended, or
 * a machine that takes long to start one would see nothing but starts.
 */
export function timedPace(history: Served, random: Random, restMsMax: number, faultMsMax: number): Pace {
  return {
    async rest() {
      await written(history, 1)
      await wait(restMsMax / 4 + random.below(restMsMax))
    },
    endure: () => wait(faultMsMax / 8 + random.below((faultMsMax * 7) / 8)),
  }
}

/**
 * By what gets done, so that a busy machine tries as much as an idle one: everybody writes before the next fault,
 * and while one instance is stopped or cut off the others write on.
 */
export function workPace(history: Served, writes: number): Pace {
  return {
    rest: () => written(history, writes),
    // What is wrong with all lasts a moment: nobody writes until it is mended.
    endure: (victim) => (victim === undefined ? wait(100) : written(history, writes, victim)),
  }
}

type Served = Pick<History, 'served'>

/** Every instance but the victim has acknowledged so many writes from now on. */
async function written({ served }: Served, writes: number, victim?: number): Promise<void> {
  const wanted = served.map((moments) => moments.length + writes)
  await until(`every instance but ${victim ?? 'none'} acknowledges ${writes} writes`, () =>
    served.every((moments, instance) => instance === victim || moments.length >= (wanted[instance] as number)),
  )
}
