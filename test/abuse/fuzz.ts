import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Random } from '../campaign/random.ts'
import { hostileInput, longRuns } from './mutate.ts'
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
    const again = Math.min(ms, await leastMs(parser, input))
    if (again > slowest.ms) slowest = { ms: again, input: shown(input) }
  }
  return { taken, refused, troubles, slowest, heapRatio: liveBytes() / heapEarly }
}

/** Of the 16 KiB that Node takes for the head of a request. */
const RUN_BYTES = 8 * 1024
/** What grows with the square of the length costs many times as much, and nearly all the rest a fraction. */
const CHEAP_MS = 5
/** So many runs of the whole length are told from none at all by a clock that counts in four milliseconds. */
const WHOLE_TIMES = 8

/**
 * The inputs of one long run that cost more than their length explains: as many bytes of them take half as long again
 * as in runs of half the length, and these as in runs of a quarter; twice as long where the cost grows with the
 * square. What is refused up to some length and costs the same from there on does so at one of the two only. One in so
 * many is given, beginning with this one.
 */
export async function dearRuns(parser: Parser, { oneIn = 1, from = 0 } = {}): Promise<string[]> {
  const [halves, quarters] = [longRuns(parser, RUN_BYTES / 2), longRuns(parser, RUN_BYTES / 4)]
  const dear: string[] = []
  let index = 0
  for (const input of longRuns(parser, RUN_BYTES)) {
    const [half, quarter] = [halves.next().value as Buffer, quarters.next().value as Buffer]
    if (index++ % oneIn !== from || (await give(parser, input)).ms < CHEAP_MS) continue
    const whole = await leastMs(parser, input, WHOLE_TIMES)
    if (whole <= WHOLE_TIMES * CHEAP_MS) continue
    const inHalves = await leastMs(parser, half, 2 * WHOLE_TIMES)
    // A quarter of the whole is less than any square leaves; below it there is little but the steps of the clock.
    if (whole <= 1.5 * inHalves || inHalves <= whole / 4) continue
    const inQuarters = await leastMs(parser, quarter, 4 * WHOLE_TIMES)
    if (inHalves > 1.5 * inQuarters) dear.push(`${whole}, ${inHalves}, ${inQuarters} ms: ${shown(quarter)}`)
    if (dear.length === 3) break
  }
  return dear
}

/** Of so many in a row. The garbage collector comes by at any time; what an input costs, it costs again. */
async function leastMs(parser: Parser, input: Buffer, times = 1): Promise<number> {
  const sums = [0, 0]
  for (const round of sums.keys()) {
    for (let left = times; left > 0; left--) sums[round]! += (await give(parser, input)).ms
  }
  return Math.min(...sums)
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
