import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDomain, type DomainActor, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { DAY_MS, HOUR_MS, type ManualClock } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { noticeWrongClock } from '../../src/platform/work/wrong-clock.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { clearZone, type DomainWorld, makeLive, openDomainWorld } from './world.ts'

const LIVE = 'www.example.test'
const NEW = 'new.example.test'

let server: PostgresDatabases
before(async () => void (server = await openPostgres()))
after(() => server[Symbol.asyncDispose]())

for (const engine of ['sqlite', 'postgres'] as const) {
  const open = async () =>
    openDomainWorld({ databaseUrl: engine === 'postgres' ? await server.createSchema() : undefined })

  test(`looks by a clock that is behind take nobody’s domain away once it is right again (${engine})`, async () => {
    await using world = await open()
    const actor = await drifting(world)
    await setClock(world, 0)
    await setClock(world, -20 * DAY_MS)
    await world.pass(HOUR_MS)
    await setClock(world, 20 * DAY_MS)
    const states = [LIVE, NEW].map(async (hostname) => (await showDomain(world.verbs, actor, hostname)).state)
    assert.deepEqual(await Promise.all(states), ['attention', 'awaiting dns'])
  })

  test(`a grace that began while the clock was ahead counts once that is right for a day (${engine})`, async () => {
    await using world = await open()
    const setBackTo = world.clock.now() + HOUR_MS
    await setClock(world, 400 * DAY_MS)
    const actor = await drifting(world)
    await setClock(world, setBackTo - world.clock.now())
    await world.pass(2 * DAY_MS, 6 * HOUR_MS)
    const { servedUntil } = await showDomain(world.verbs, actor, LIVE)
    assert.ok(Date.parse(servedUntil!) <= world.clock.now() + 14 * DAY_MS, `${servedUntil}`)
  })
}

/** Leads elsewhere since it was live, beside one that waits for its record. */
async function drifting(world: DomainWorld): Promise<DomainActor> {
  const actor = await world.project()
  await makeLive(world, actor, LIVE)
  await clearZone(world, 'example.test')
  await addDomain(world.verbs, actor, { hostname: NEW })
  await verifyDomain(world.verbs, actor, NEW)
  await world.pass(DAY_MS, 6 * HOUR_MS)
  assert.equal((await showDomain(world.verbs, actor, LIVE)).state, 'attention')
  return actor
}

const notice = defineWrite('test.notice', (db, now: number, engine) => noticeWrongClock(db, engine, now))

/** Housekeeping looks at it at every start, and each hour. */
async function setClock(world: DomainWorld, byMs: number): Promise<void> {
  ;(world.clock as ManualClock).advance(byMs)
  await world.storage.write(notice, world.clock.now())
  await world.settle()
}
