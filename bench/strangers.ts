import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { hostileMemory } from '../test/abuse/memory.ts'
import { judge } from './report.ts'

/** Memory over requests without a key, whose names, keys, ids and addresses never come again. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    requests: { type: 'string', default: '100000' },
  },
})
/** Of the whole process, which breathes more than what lives in it. */
const RATIO_MAX = 1.25

const requests = Number(values.requests)
console.log(`\n${requests.toLocaleString('en')} requests of strangers without a key, seed ${values.seed}`)
const { residentMb, ratio, failures } = await hostileMemory(Number(values.seed), requests)
residentMb.forEach((mb, index) => {
  const done = Math.round(((index + 1) * requests) / residentMb.length)
  console.log(`${done.toLocaleString('en').padStart(10)} requests  ${mb.toFixed(1)} MB`)
})
judge(`${ratio.toFixed(2)} times what it was after the first fifth, at most ${RATIO_MAX}`, ratio <= RATIO_MAX)
judge(`${failures.length === 0 ? 'no' : failures.join(', ')} internal error`, failures.length === 0)
