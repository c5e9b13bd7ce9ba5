import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Random } from '../campaign/random.ts'
import { hostileInput } from './mutate.ts'
import { isRefusal, type Parser } from './parsers.ts'

export interface Outcome {
  readonly taken: number
  readonly refused: number
  /** What was thrown beside our own refusals, with the bytes that did it; at most ten. */
  readonly troubles: readonly string[]
  /** The most processor time of this thread that one input took: what all others would have waited for. */
  readonly slowestMs: number
  /** What lives after the last input, for what lived after the first tenth of them. */
  readonly heapRatio: number
}

/** What is loaded and compiled once is no input's fault. */
const WARM_UP = 1000

/** Gives a parser so many hostile inputs; the seed gives the same ones again. */
export async function fuzz(parser: Parser, seed: number, count: number): Promise<Outcome> {
  const random = new Random(seed)
  const troubles: string[] = []
  let [taken, refused, slowestMs, heapEarly] = [0, 0, 0, 0]
  for (let index = 0; index < count && troubles.length < 10; index++) {
    if (index === Math.floor(count / 10)) heapEarly = liveBytes()
    const input = hostileInput(random, parser)
    const before = process.threadCpuUsage()
    try {
      await parser.take(input)
      taken++
    } catch (error) {
      if (isRefusal(error)) refused++
      else
        troubles.push(
          `${parser.name} ${index}, ${input.toString('hex').slice(0, 4000)}: ${String((error as Error).stack)}`,
        )
    }
    const { user, system } = process.threadCpuUsage(before)
    if (index >= WARM_UP) slowestMs = Math.max(slowestMs, (user + system) / 1000)
  }
  return { taken, refused, troubles, slowestMs, heapRatio: liveBytes() / heapEarly }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function liveBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
