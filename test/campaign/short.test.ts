import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { fleetCampaign, type Outcome, sqliteCampaign, type Tempo } from './campaign.ts'
import { workPace } from './pace.ts'

/** Nothing here waits for a time; this ends a run that hangs. */
const LIMIT_MS = 600_000

/** The short form of `npm run campaign`; the seed that is printed walks the same way again. */
const seed = randomInt(2 ** 32)
const byWork: Tempo = { paceOf: (_random, history) => workPace(history, 12), pauseMsMax: 12 }
/** A fleet of clients in haste would take both processors from whatever is being started again. */
const unhurried: Tempo = { ...byWork, pauseMsMax: 100 }

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
    assertHeld(t, await fleetCampaign(seed, { minutes: 0, kinds }, 2, unhurried))
  },
)

function assertHeld(t: TestContext, { verdict }: Outcome): void {
  t.diagnostic(`seed ${seed}: ${verdict.acknowledged} animals, ${verdict.orders} orders, ${verdict.sights} reads`)
  assert.deepEqual(verdict.violations, [], `seed ${seed}`)
  // Four rests of twelve writes are the least, three in four of which add an animal.
  assert.ok(verdict.acknowledged >= 25, 'the clients hardly wrote')
}
