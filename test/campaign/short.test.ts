import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import type { History } from './history.ts'
import { fleetCampaign, type Outcome, sqliteCampaign } from './campaign.ts'
import { workPace } from './pace.ts'

/** Nothing here waits for a time; this ends a run that hangs. */
const LIMIT_MS = 600_000

/** The short form of `npm run campaign`; the seed that is printed walks the same way again. */
const seed = randomInt(2 ** 32)
const byWork = (_random: unknown, history: History) => workPace(history, 12)

test(
  'SQLite: nothing acknowledged is lost, stale or there twice, however often the service is killed',
  { timeout: LIMIT_MS },
  async (t) => assertHeld(t, await sqliteCampaign(seed, { kills: 4, minutes: Infinity }, byWork)),
)

test(
  'PostgreSQL: the same of instances that are killed, stopped, cut off and drained, and of their database',
  { timeout: LIMIT_MS },
  async (t) => {
    const kinds = ['instance killed', 'instance stopped', 'instance cut off', 'instance drained', 'database killed']
    assertHeld(t, await fleetCampaign(seed, { minutes: 0, kinds }, 2, byWork))
  },
)

function assertHeld(t: TestContext, { verdict }: Outcome): void {
  t.diagnostic(`seed ${seed}: ${verdict.acknowledged} animals, ${verdict.orders} orders, ${verdict.sights} reads`)
  assert.deepEqual(verdict.violations, [], `seed ${seed}`)
  assert.ok(verdict.acknowledged >= 50, 'the clients hardly wrote')
}
