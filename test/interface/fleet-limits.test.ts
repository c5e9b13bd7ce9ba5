import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { SignInThrottle } from '../../src/features/accounts/throttle.ts'
import { DAY_MS, ManualClock, MINUTE_MS, SECOND_MS } from '../../src/platform/clock.ts'
import { unavailable } from '../../src/platform/errors.ts'
import { RateLimiter } from '../../src/platform/http/rate-limit.ts'
import { LimitExchange } from '../../src/platform/limits/exchange.ts'
import { limitLevelsMigration } from '../../src/platform/limits/levels.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { platformMigration } from '../../src/platform/storage/platform-migration.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'

const PER_SECOND = 100
const STEP_MS = 20

let postgres: PostgresDatabases
const directory = mkdtempSync(join(tmpdir(), 'petstore-limits-'))
before(async () => {
  postgres = await openPostgres()
})
after(async () => {
  rmSync(directory, { recursive: true })
  await postgres[Symbol.asyncDispose]()
})

interface Worker {
  exchange: LimitExchange
  limiter: RateLimiter
  throttle: SignInThrottle
}

/** Workers on one database, and a clock for all of them and for the database, which stands still but for `pass`. */
class Fleet implements AsyncDisposable {
  readonly clock = new ManualClock(Date.UTC(2026, 10, 15))
  readonly workers: Worker[] = []
  readonly #closing = new AsyncDisposableStack()
  statements = 0
  #underWay = 0
  #database: Storage | undefined
  isCutOff = false
  databaseAheadMs = 0

  static async of(workers: number, databaseUrl: string | undefined): Promise<Fleet> {
    const fleet = new Fleet()
    const dataDirectory = mkdtempSync(join(directory, 'data-'))
    const migrations = [platformMigration, limitLevelsMigration]
    for (let count = 0; count < workers; count++) {
      const opened = await openStorage({ dataDirectory, databaseUrl, migrations, onError: assert.fail })
      fleet.#join(fleet.#closing.use(opened))
    }
    return fleet
  }

  #join(opened: Storage): void {
    const write: Storage['write'] = async (...given) => {
      if (this.isCutOff) throw unavailable('cut off')
      this.statements++
      this.#underWay++
      return opened.write(...given).finally(() => this.#underWay--)
    }
    this.#database = opened
    const { clock } = this
    const needs = { storage: { ...opened, write }, clock, log: { warn: () => {} } }
    const exchange = this.#closing.use(new LimitExchange(needs, () => sql.lit(clock.now() + this.databaseAheadMs)))
    const limiter = new RateLimiter({ perSecond: PER_SECOND }, clock, exchange)
    this.workers.push({ exchange, limiter, throttle: new SignInThrottle(clock, exchange) })
    exchange.start()
  }

  async rows(): Promise<number> {
    const { rows } = await sql<{ count: string }>`select count(*) as count from limit_levels`.execute(
      this.#database!.read,
    )
    return Number(rows[0]?.count)
  }

  /** Goes on once everything is told that is to be told by then. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    do for (let count = 0; count < 3; count++) await turn()
    while (this.#underWay > 0)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing.disposeAsync()
  }
}

/** How many are admitted in each step, when each worker is asked so often in a step: `asks(step)` has a number each. */
async function hammer(fleet: Fleet, seconds: number, asks: (step: number) => number[], keys = 1): Promise<number[]> {
  const admitted: number[] = []
  for (let step = 0; step < (seconds * SECOND_MS) / STEP_MS; step++) {
    let count = 0
    for (const [index, times] of asks(step).entries()) {
      for (let time = 0; time < times; time++) {
        const key = `key ${(step + time) % keys}`
        if (fleet.workers[index]?.limiter.take(key, 1).allowed) count++
      }
    }
    admitted.push(count)
    await fleet.pass(STEP_MS)
  }
  return admitted
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** In every stretch of so many seconds. */
function mostWithin(seconds: number, admitted: readonly number[]): number {
  const steps = (seconds * SECOND_MS) / STEP_MS
  let [most, now] = [0, 0]
  for (const [step, count] of admitted.entries()) {
    now += count - (admitted[step - steps] ?? 0)
    most = Math.max(most, now)
  }
  return most
}

/** Over the whole time neither much more nor much less than the limit, and not much more in any of its windows. */
function assertHeld(admitted: readonly number[], perSecond: number, windows = [2, 5]): void {
  const seconds = (admitted.length * STEP_MS) / SECOND_MS
  const limit = perSecond * (seconds + 2)
  const total = sum(admitted)
  assert.ok(total <= 1.1 * limit && total >= 0.9 * limit, `${total} of ${limit} in ${seconds} s`)
  for (const window of windows) {
    const most = mostWithin(window, admitted)
    assert.ok(most <= 1.1 * perSecond * (window + 2), `${most} within ${window} s`)
  }
}

describe('three instances on PostgreSQL keep to one limit within a tenth', () => {
  const SPREADS: Record<string, (step: number) => number[]> = {
    'when all are asked the same': () => [6, 6, 6],
    'when one is asked nearly everything': (step) => [18, step % 4 === 0 ? 1 : 0, 0],
    'when everything moves to another one every second': (step) =>
      [0, 1, 2].map((index) => (Math.floor(step / 50) % 3 === index ? 10 : 0)),
    'when each of them is asked less than the limit': () => [1, 1, 1],
  }
  for (const [how, asks] of Object.entries(SPREADS)) {
    test(how, async () => {
      await using fleet = await Fleet.of(3, await postgres.createDatabase())
      assertHeld(await hammer(fleet, 5, asks), PER_SECOND)
    })
  }

  test('over time also when all are asked for everything in the same instant', async () => {
    await using fleet = await Fleet.of(3, await postgres.createDatabase())
    assertHeld(await hammer(fleet, 5, (step) => (step === 0 ? [200, 200, 200] : [6, 6, 6])), PER_SECOND, [4])
  })

  test('for all keys of a project together', async () => {
    await using fleet = await Fleet.of(3, await postgres.createDatabase())
    assertHeld(await hammer(fleet, 5, () => [12, 12, 12], 12), 4 * PER_SECOND)
  })
})

test('so do workers on SQLite', async () => {
  await using fleet = await Fleet.of(2, undefined)
  assertHeld(await hammer(fleet, 5, () => [6, 6]), PER_SECOND)
})

test('whoever waits as told is let in, wherever it was used up', async () => {
  await using fleet = await Fleet.of(2, await postgres.createDatabase())
  await hammer(fleet, 2, () => [20, 20])
  for (let round = 0; round < 20; round++) {
    const { limiter } = fleet.workers[round % 2] as Worker
    const decision = limiter.take('key 0', 1)
    if (decision.allowed) continue
    assert.match(decision.header, new RegExp(`^"default";r=0;t=${decision.resetSeconds}$`))
    await fleet.pass(decision.resetSeconds * SECOND_MS)
    assert.equal(limiter.take('key 0', 1).allowed, true)
  }
})

test('what is told does not grow with the keys, and nothing is told or kept of those who rest', async () => {
  await using fleet = await Fleet.of(2, await postgres.createDatabase())
  await hammer(fleet, 5, () => [80, 80], 1000)
  // 200 ms is the shortest time in which a key can be told twice here.
  assert.ok(fleet.statements <= 2 * 5 * 20, `${fleet.statements} statements in 5 s`)
  assert.ok((await fleet.rows()) > 0)
  await fleet.pass(MINUTE_MS)
  const before = fleet.statements
  await fleet.pass(MINUTE_MS)
  await fleet.pass(SECOND_MS)
  assert.equal(await fleet.rows(), 0)
  await fleet.pass(10 * SECOND_MS)
  assert.ok(fleet.statements - before <= 4, 'no more than each sweeping once or twice')
})

test('while the database is away each keeps to the limit by itself, and afterwards to one limit again', async () => {
  await using fleet = await Fleet.of(2, await postgres.createDatabase())
  fleet.isCutOff = true
  const alone = await hammer(fleet, 4, () => [6, 6])
  // The last step begins 20 ms before the end.
  assert.equal(sum(alone), 2 * PER_SECOND * (2 + 4 - STEP_MS / SECOND_MS))
  fleet.isCutOff = false
  await hammer(fleet, 3, () => [6, 6])
  const together = sum(await hammer(fleet, 4, () => [6, 6]))
  assert.ok(together <= 1.1 * 4 * PER_SECOND && together >= 0.9 * 4 * PER_SECOND, `${together} in 4 s`)
})

for (const engine of ['SQLite', 'PostgreSQL']) {
  test(`a clock of ${engine} that was a year ahead costs minutes of a limit, and not a year`, async () => {
    const databaseUrl = engine === 'SQLite' ? undefined : await postgres.createDatabase()
    await using fleet = await Fleet.of(2, databaseUrl)
    fleet.databaseAheadMs = 365 * DAY_MS
    await hammer(fleet, 1, () => [1, 1])
    fleet.databaseAheadMs = 0
    await hammer(fleet, 1, () => [1, 1])
    await fleet.pass(2 * MINUTE_MS)
    assert.deepEqual(new Set(await hammer(fleet, 1, () => [1, 1])), new Set([2]))
  })
}

test('guesses at a password are counted for all instances before they are looked at', async () => {
  await using fleet = await Fleet.of(2, await postgres.createDatabase())
  const guess = async (index: number) => {
    const { throttle } = fleet.workers[index % 2] as Worker
    const guessed = throttle.attempt({ email: 'owner@example.com', network: `network ${index}` })
    return guessed.then((attempt) => attempt).catch(() => undefined)
  }
  const guessed = async (from: number) => {
    const attempts = await Promise.all(Array.from({ length: 300 }, (_, index) => guess(from + index)))
    return attempts.filter((attempt) => attempt !== undefined)
  }
  const attempts = await guessed(0)
  // At once, some are refused for others that are refused themselves.
  assert.ok(attempts.length <= 100 && attempts.length >= 50, `${attempts.length} looked at`)
  for (let index = 1000; (await guess(index)) !== undefined;) index++
  await fleet.pass(SECOND_MS)
  assert.equal((await guessed(2000)).length, 0)
  attempts[0]?.succeeded()
  await fleet.pass(SECOND_MS)
  assert.notEqual((await guess(1)) ?? (await guess(2)), undefined)
})
