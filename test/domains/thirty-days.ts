import { parseArgs } from 'node:util'
import { DAY_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { walkRenewals } from './renewal-walk.ts'

/**
 * `npm run campaign:renewals`: thirty days with certificates of 6 days, 24 hours and 10 minutes at once, five minutes
 * at a step, so that each step is an order of the shortest: `npm test` walks an hour of it.
 */
const { values } = parseArgs({ options: { days: { type: 'string', default: '30' } } })
const days = Number(values.days)
const started = performance.now()
const seconds = () => Math.round((performance.now() - started) / 1000)
const lives = { 'a.example.test': 6 * DAY_MS, 'b.example.test': DAY_MS, 'c.example.test': 10 * MINUTE_MS }
let daysTold = 0

const { handshakes, failures, renewals, askedInDns } = await walkRenewals([
  {
    lives,
    stepMs: 5 * MINUTE_MS,
    againAfterMs: 50,
    walkMs: days * DAY_MS,
    onStep(passedMs, asked) {
      if (Math.floor(passedMs / DAY_MS) === daysTold) return
      console.log(`day ${++daysTold}: ${asked} handshakes, ${seconds()} s`)
    },
  },
])
console.log(`${days} days in ${seconds()} s: ${handshakes} handshakes, ${failures.length} failed`)
for (const [host, times] of Object.entries(renewals)) console.log(`  ${host}: ${times} renewals`)
console.log(`  ${askedInDns} questions in the zone of challenges`)
for (const failure of failures.slice(0, 20)) console.log(`  ✗ ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1
