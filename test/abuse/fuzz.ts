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
  /** The input that took the most processor time of this thread, which is what all others would have waited for. */
  readonly slowest: { readonly ms: number; readonly input: string }
  /** What lives after the last input, for what lived after the first tenth of them. */
  readonly heapRatio: number
}

/** What is loaded and compiled once is no input's fault. */
const WARM_UP = 1000

/** Gives a parser so many hostile inputs; the seed gives the same ones again. */
export async function fuzz(parser: Parser, seed: number, count: number): Promise<Outcome> {
  const random = new Random(seed)
  const troubles: string[] = []
  let [taken, refused, heapEarly] = [0, 0, 0]
  let slowest = { ms: 0, input: '' }
  for (let index = 0; index < count && troubles.length < 10; index++) {
    if (index === Math.floor(count / 10)) heapEarly = liveBytes()
    const input = hostileInput(random, parser)
    const { end, ms } = await give(parser, input)
    if (end === 'taken') taken++
    else if (end === 'refused') refused++
    else troubles.push(`${parser.name} ${index}, ${shown(input)}: ${end.stack}`)
    if (index < WARM_UP || ms <= slowest.ms) continue
    // The garbage collector comes by at any time; what an input costs, it costs again.
    const again = Math.min(ms, (await give(parser, input)).ms, (await give(parser, input)).ms)
    if (again > slowest.ms) slowest = { ms: again, input: shown(input) }
  }
  return { taken, refused, troubles, slowest, heapRatio: liveBytes() / heapEarly }
}

async function give(parser: Parser, input: Buffer): Promise<{ end: 'taken' | 'refused' | Error; ms: number }> {
  const before = process.threadCpuUsage()
  let end: 'taken' | 'refused' | Error = 'taken'
  try {
    await parser.take(input)
  } catch (error) {
    end = isRefusal(error) ? 'refused' : (error as Error)
  }
  const { user, system } = process.threadCpuUsage(before)
  return { end, ms: (user + system) / 1000 }
}

const shown = (input: Buffer) => input.toString('hex').slice(0, 4000)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function liveBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
