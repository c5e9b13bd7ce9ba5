import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres, type PostgresDatabases } from '../../../test/harness/postgres.ts'
import { until } from '../../../test/harness/until.ts'
import { HOUR_MS, ManualClock, MINUTE_MS } from '../clock.ts'
import { ChangeFeed } from '../storage/change-feed.ts'
import { openStorage } from '../storage/open.ts'
import { noticeOrderMigration, platformMigration } from '../storage/platform-migration.ts'
import { defineWrite, type Storage } from '../storage/storage.ts'
import { cancelWork, finishWork, type Lease, nextDueAfter, scheduleWork } from './lease.ts'
import { workMigration } from './migration.ts'
import { claim, heartbeat, postpone, WorkRunner } from './runner.ts'

const NOW = Date.UTC(2026, 10, 15)
const QUEUE = 'feeding'

const schedule = defineWrite('test.schedule', (db, input: { subject: string; dueAt: number; now: number }, engine) =>
  scheduleWork(db, engine, { queue: QUEUE, ...input }),
)
const finish = defineWrite('test.finish', (db, input: { lease: Lease; nextDueAt: number | undefined }, engine) =>
  finishWork(db, engine, input.lease, input),
)
/** As if the lease had been taken long ago. */
const runOut = defineWrite('test.runOut', (db, { queue, subject }: Lease) =>
  db.updateTable('work').set({ leased_until: 1 }).where('queue', '=', queue).where('subject', '=', subject).execute(),
)
const cancel = defineWrite('test.cancel', (db, subject: string) => cancelWork(db, QUEUE, subject))

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`work on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let storage: Storage
    const directory = mkdtempSync(join(tmpdir(), 'petstore-work-'))
    const migrations = [platformMigration, workMigration, noticeOrderMigration]

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      const databaseUrl = await server?.createDatabase()
      storage = await openStorage({ dataDirectory: directory, databaseUrl, migrations, onError: () => {} })
    })
    after(async () => {
      await storage?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    })

    const take = async (owner: string, now = NOW, leaseMs = HOUR_MS) =>
      (await storage.write(claim, { queue: QUEUE, owners: [owner], now, leaseMs, busy: [] }))[0]
    const ask = (subject: string, dueAt = NOW) => storage.write(schedule, { subject, dueAt, now: NOW })

    test('one piece of work goes to one claimer, and to the next only after the lease has ended', async () => {
      await ask('cat')
      const first = await take('one')
      assert.equal(first?.subject, 'cat')
      assert.equal(await take('two'), undefined)
      await storage.write(runOut, first!)
      const second = await take('two')
      assert.equal(second?.subject, 'cat')

      assert.equal(await storage.write(heartbeat, first!), false)
      assert.equal(
        await storage.write(finish, { lease: first!, nextDueAt: undefined }),
        false,
        'a late finish is refused',
      )
      assert.equal(await storage.write(heartbeat, second!), true)
      assert.equal(await storage.write(finish, { lease: second!, nextDueAt: undefined }), true)
      assert.equal(await take('three'), undefined)
    })

    test('a lease that has run out and was not taken over can still be finished', async () => {
      await ask('dog')
      const lease = await take('one')
      await storage.write(runOut, lease!)
      assert.equal(await storage.write(finish, { lease: lease!, nextDueAt: undefined }), true)
    })

    test('what is asked for while the work is being done is done afterwards', async () => {
      await ask('fish')
      const lease = await take('one')
      await ask('fish')
      assert.equal(await storage.write(finish, { lease: lease!, nextDueAt: NOW + HOUR_MS }), true)
      const again = await take('two')
      assert.equal(again?.subject, 'fish')
      assert.equal(await storage.write(finish, { lease: again!, nextDueAt: NOW + HOUR_MS }), true)
      assert.equal(await take('three'), undefined)
      assert.equal(await nextDueAfter(storage.read, QUEUE, NOW), NOW + HOUR_MS)
      await storage.write(cancel, 'fish')
    })

    test('an earlier request stands, and cancelled work ends the lease on it', async () => {
      await ask('bird', NOW + MINUTE_MS)
      await ask('bird', NOW + HOUR_MS)
      assert.equal(await take('one', NOW), undefined)
      const lease = await take('one', NOW + MINUTE_MS)
      await storage.write(cancel, 'bird')
      assert.equal(await storage.write(postpone, { lease: lease!, dueAt: NOW, failures: 1 }), false)
    })

    test('many claimers at once share the work without overlap', async () => {
      for (let index = 0; index < 40; index++) await ask(`mouse-${index}`)
      const claimers = Array.from({ length: 8 }, (_, index) => {
        const owners = Array.from({ length: 10 }, (__, number) => `${index}-${number}`)
        return storage.write(claim, { queue: QUEUE, owners, now: NOW, leaseMs: HOUR_MS, busy: [] })
      })
      const taken = (await Promise.all(claimers)).flat()
      const owners = Array.from({ length: 50 }, (_, index) => `late-${index}`)
      const more = await storage.write(claim, { queue: QUEUE, owners, now: NOW, leaseMs: HOUR_MS, busy: [] })
      assert.equal(new Set([...taken, ...more].map(({ subject }) => subject)).size, 40)
      assert.equal(taken.length + more.length, 40)
      for (const lease of [...taken, ...more]) await storage.write(finish, { lease, nextDueAt: undefined })
    })

    test('a runner works on what is announced or becomes due, a few at a time, and again after a failure', async () => {
      const clock = new ManualClock(NOW)
      await using changes = new ChangeFeed(storage, clock)
      await changes.start()
      const done: string[] = []
      const errors: unknown[] = []
      let atOnce = 0
      let mostAtOnce = 0
      await using runner = new WorkRunner({
        storage,
        clock,
        changes,
        queue: QUEUE,
        concurrency: 2,
        async handle(lease) {
          mostAtOnce = Math.max(mostAtOnce, ++atOnce)
          await wait(5)
          atOnce--
          if (lease.subject === 'goat' && lease.failures < 2) throw new Error('the goat does not eat')
          done.push(lease.subject)
          await storage.write(finish, { lease, nextDueAt: undefined })
        },
        onError: (error) => errors.push(error),
      })
      runner.start()
      for (const subject of ['cow', 'hen', 'goat', 'pig', 'owl']) await ask(subject)
      await ask('bat', NOW + 8 * HOUR_MS)
      runner.wake()
      await until('all but the goat are fed', () => done.length === 4 && errors.length === 1)
      assert.ok(mostAtOnce <= 2)
      // The runner may note its next try late: time goes on until it has come.
      await until('the goat eats', () => done.includes('goat') || (clock.advance(1000), false))
      assert.equal(errors.length, 2)
      assert.equal(done.includes('bat'), false)
      clock.advance(9 * HOUR_MS)
      await until('the bat is fed in time', () => done.includes('bat'))
    })

    test('work of one holder that hangs takes its own places, and leaves the others to others', async () => {
      const clock = new ManualClock(NOW)
      await using changes = new ChangeFeed(storage, clock)
      const begun: string[] = []
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      await using runner = new WorkRunner({
        storage,
        clock,
        changes,
        queue: QUEUE,
        concurrency: 4,
        share: { holderOf: async (subject) => subject.slice(0, 3), placesMax: 2 },
        leaseMs: HOUR_MS,
        onError: assert.fail,
        async handle(lease) {
          begun.push(lease.subject)
          if (lease.subject.startsWith('eve')) await answered
          await storage.write(finish, { lease, nextDueAt: undefined })
        },
      })
      await using ending = new AsyncDisposableStack()
      ending.defer(answer)
      for (let at = 0; at < 6; at++) await ask(`eve ${at}`, NOW - HOUR_MS)
      await ask('ada')
      runner.start()
      await until('the other has begun', () => begun.includes('ada'))
      assert.deepEqual(begun, ['eve 0', 'eve 1', 'ada'])
      answer()
      await until('all are done', async () => begun.length === 7 && (await take('nobody')) === undefined)
    })

    for (const [subject, hours] of [
      ['ram', 0.5],
      ['ox', 1.5],
    ] as const) {
      test(`what becomes due while a runner looks for it is done at once: after ${hours} hours`, async () => {
        await ask(subject, NOW + HOUR_MS * hours)
        const clock = new HastyClock(NOW)
        await using changes = new ChangeFeed(storage, clock)
        const done: string[] = []
        await using runner = new WorkRunner({
          storage,
          clock,
          changes,
          queue: QUEUE,
          concurrency: 1,
          leaseMs: HOUR_MS,
          onError: assert.fail,
          async handle(lease) {
            done.push(lease.subject)
            await storage.write(finish, { lease, nextDueAt: undefined })
          },
        })
        runner.start()
        await until(`the ${subject} is fed`, () => done.includes(subject))
      })
    }

    test('a runner picks up what another one left when it died', async () => {
      await ask('snake')
      assert.ok(await take('dead', NOW, 50))
      const clock = new ManualClock(NOW)
      await using changes = new ChangeFeed(storage, clock)
      const done: string[] = []
      await using runner = new WorkRunner({
        storage,
        clock,
        changes,
        queue: QUEUE,
        concurrency: 1,
        leaseMs: 100,
        onError: assert.fail,
        async handle(lease) {
          done.push(lease.subject)
          await storage.write(finish, { lease, nextDueAt: undefined })
        },
      })
      runner.start()
      await until('the snake is fed', () => done.includes('snake'))
    })

    test('a process that stood still goes on with its own work and does not begin it once more', async () => {
      const clock = new ManualClock(NOW)
      await using changes = new ChangeFeed(storage, clock)
      const begun: Lease[] = []
      const { promise: fed, resolve: feed } = Promise.withResolvers<void>()
      await using runner = new WorkRunner({
        storage,
        clock,
        changes,
        queue: QUEUE,
        concurrency: 3,
        leaseMs: HOUR_MS,
        onError: assert.fail,
        async handle(lease) {
          begun.push(lease)
          await fed
          assert.equal(await storage.write(finish, { lease, nextDueAt: undefined }), true)
        },
      })
      await using ending = new AsyncDisposableStack()
      ending.defer(feed)
      runner.start()
      await ask('sloth')
      runner.wake()
      await until('the sloth is being fed', () => begun.length === 1)
      await storage.write(runOut, begun[0]!)
      await ask('mouse')
      runner.wake()
      await until('the runner has looked again', () => begun.some(({ subject }) => subject === 'mouse'))
      assert.equal(begun.length, 2)
    })
  })
}

/** An hour passes after each of the first two looks at it, and none otherwise. */
class HastyClock extends ManualClock {
  #looks = 0

  override now(): number {
    const now = super.now()
    if (++this.#looks <= 2) queueMicrotask(() => this.advance(HOUR_MS))
    return now
  }
}
