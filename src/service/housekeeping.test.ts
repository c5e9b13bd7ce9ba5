import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { layOutSchema } from '../../test/harness/schema.ts'
import { until } from '../../test/harness/until.ts'
import { listKeysOfProject } from '../features/keys/queries.ts'
import { ENDED_KEPT } from '../features/keys/sweep.ts'
import { addUsage } from '../features/keys/writes.ts'
import { migrations } from '../migrations.ts'
import { type Clock, DAY_MS, HOUR_MS, ManualClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { openStorage } from '../platform/storage/open.ts'
import { defineWrite, type Storage, type Write } from '../platform/storage/storage.ts'
import { scheduleWork } from '../platform/work/lease.ts'
import { startHousekeeping } from './housekeeping.ts'

const NOW = Date.UTC(2030, 0, 1)
const EXPIRED = 2500
/** More than go in one step. */
const SOME = 1500
/** Entries that a clock has dated which was wrong for some days. */
const AHEAD = 600

const fill = defineWrite('test.fill', async (db) => {
  const key = (index: number, expires_at: number) => ({
    project_id: 1,
    environment: 'production' as const,
    key: `key-${index}`,
    fingerprint: '',
    answer: '',
    expires_at,
  })
  for (let first = 0; first < EXPIRED; first += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => key(first + index, NOW))
    await db.insertInto('idempotency_keys').values(rows).execute()
  }
  await db
    .insertInto('idempotency_keys')
    .values(key(EXPIRED, NOW + HOUR_MS))
    .execute()
  const who = {
    project_id: null,
    account_id: null,
    actor_kind: 'system' as const,
    actor_id: null,
    actor_name: 'Petstore',
  }
  const entry = (id: number, at: number) => ({ id, at, ...who, verb: 'test', subject: 'test', details: '{}' })
  const whileClockWasAhead = Array.from({ length: AHEAD }, (_, index) => entry(index, NOW + 365 * DAY_MS))
  const old = entry(AHEAD, NOW - 500 * DAY_MS)
  await db
    .insertInto('audit_entries')
    .values([...whileClockWasAhead, old])
    .execute()
  const some = sql`with recursive some (n) as (select 1 union all select n + 1 from some where n < ${SOME})`
  await sql`insert into notices (seq, topic, subject, announced_at) ${some} select n, '', '', 0 from some`.execute(db)
  await sql`insert into projects (id, slug, name, plan, created_at) values (1, 'kennel', '', 'pro', 0)`.execute(db)
  await sql`insert into domains (id, project_id, hostname, proof, added_at, removed_at, problems, revoke)
    ${some} select n, 1, n, '', 0, 0, '', 0 from some`.execute(db)
  await sql`insert into domain_checks (id, domain_id, outcome, problems, trigger, first_at, last_at, times, evidence)
    ${some} select n, n, '', '', '', 0, 0, 1, '' from some`.execute(db)
  await sql`insert into ca_meters (issuer, meter, spent_until) ${some} select '', n, 0 from some`.execute(db)
  await db.schema.dropTable('mails').execute()
})

const tokenLike = (id: string, created_at: number) => ({
  id,
  project_id: 1,
  hash: id,
  hint: id,
  name: id,
  scopes: 'read',
  created_at,
})

interface Ends {
  ends: Record<string, { expires_at: number; revoked_at: number | null }>
  now: number
}

const fillKeys = defineWrite('test.fillKeys', async (db, { ends, now }: Ends) => {
  const project = { id: 1, slug: 'shop', name: 'Shop', plan: 'free' as const, created_at: 0, require_second_factor: 0 }
  await db
    .insertInto('projects')
    .values({ ...project, deleted_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const usage = { project_id: 1, environment: 'production' as const, operation: 'listPets', calls: 1, failures: 0 }
  for (const [id, end] of Object.entries(ends)) {
    await db
      .insertInto('keys')
      .values({ ...tokenLike(id, now), environment: 'production', ...end })
      .execute()
    await db
      .insertInto('tokens')
      .values({ ...tokenLike(id, now), made_by: 'acc_one', ...end })
      .execute()
    await db
      .insertInto('key_usage')
      .values({ ...usage, key_id: id, hour: NOW - DAY_MS, last_at: NOW - DAY_MS })
      .execute()
  }
})

const YEAR_MS = 365 * DAY_MS

const plan = defineWrite('test.plan', async (db, { now }: { now: number }, engine) => {
  await scheduleWork(db, engine, { queue: 'certificates', subject: 'www.example.com', dueAt: now + HOUR_MS, now })
  await db
    .insertInto('issuances')
    .values({ hostname: 'www.example.com', since: now, failures: 1, next_attempt_at: now + HOUR_MS })
    .execute()
  const meter = { issuer: 'acme', meter: 'orders:', spent_until: now + HOUR_MS }
  await db.insertInto('ca_meters').values(meter).execute()
})

/** One look, to its end. */
async function sweepOnce(storage: Storage, now: number) {
  const clock = new ManualClock(now)
  const asleep = Promise.withResolvers<void>()
  const sleep: Clock['sleep'] = (ms, signal) => {
    asleep.resolve()
    return clock.sleep(ms, signal)
  }
  const config = { auditDays: 400, smtp: undefined }
  const needs = { config, storage, clock: { now: () => now, sleep }, log: createLog('silent') }
  await using _housekeeping = startHousekeeping(needs)
  await asleep.promise
}

test('what was planned while the clock was a year ahead is due once it is right again', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-housekeeping-'))
  layOutSchema(dataDirectory)
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const planned = async () => {
    const { due_at } = await storage.read.selectFrom('work').select('due_at').executeTakeFirstOrThrow()
    const issuance = await storage.read.selectFrom('issuances').select('next_attempt_at').executeTakeFirstOrThrow()
    const meters = await storage.read.selectFrom('ca_meters').select('meter').execute()
    return [due_at, issuance.next_attempt_at, meters.length]
  }
  const sweepOnceAt = (now: number) => sweepOnce(storage, now)
  await sweepOnceAt(NOW)
  await sweepOnceAt(NOW + YEAR_MS)
  await storage.write(plan, { now: NOW + YEAR_MS })
  await sweepOnceAt(NOW + YEAR_MS - HOUR_MS)
  assert.deepEqual(await planned(), [NOW + YEAR_MS + HOUR_MS, NOW + YEAR_MS + HOUR_MS, 1], 'an hour is no reason')
  await sweepOnceAt(NOW)
  assert.deepEqual(await planned(), [NOW, null, 0])
})

const setSteadySince = defineWrite('test.setSteadySince', async (db, { since }: { since: number }) => {
  const value = String(since)
  await db.updateTable('settings').set({ value }).where('name', '=', 'clock_steady_since').execute()
})

test('keys and tokens that ended 90 days ago go with their usage, and of many only the last stay', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-housekeeping-'))
  layOutSchema(dataDirectory)
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const { read } = storage
  const left = async () => {
    const keys = await read.selectFrom('keys').select('id').orderBy('id').execute()
    const tokens = await read.selectFrom('tokens').select('id').orderBy('id').execute()
    const used = await read.selectFrom('key_usage').select('key_id as id').distinct().orderBy('key_id').execute()
    assert.deepEqual([tokens, used], [keys, keys])
    return keys.map(({ id }) => id)
  }
  const long = NOW - 91 * DAY_MS
  const ends = {
    expired: { expires_at: long, revoked_at: null },
    revoked: { expires_at: NOW + DAY_MS, revoked_at: long },
    lately: { expires_at: NOW - DAY_MS, revoked_at: null },
    works: { expires_at: NOW + DAY_MS, revoked_at: null },
  }
  await storage.write(fillKeys, { ends, now: long - DAY_MS })
  await sweepOnce(storage, NOW)
  assert.deepEqual(await left(), ['expired', 'lately', 'works'], 'the clock may be ahead')
  await storage.write(setSteadySince, { since: NOW - 90 * DAY_MS })
  await sweepOnce(storage, NOW)
  assert.deepEqual(await left(), ['lately', 'works'])

  const ended = Array.from({ length: ENDED_KEPT }, (_, index) => `key_${1000 + index}`)
  const before = { expires_at: NOW + DAY_MS, revoked_at: NOW - 2 * DAY_MS }
  await storage.write(fillKeys, { ends: Object.fromEntries(ended.map((id) => [id, before])), now: NOW - 3 * DAY_MS })
  await sweepOnce(storage, NOW)
  assert.deepEqual(await left(), [...ended.slice(1), 'lately', 'works'], 'one of those that ended first has gone')
})

test('what a key was used for goes after 90 days, and when it was last used stays', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-housekeeping-'))
  layOutSchema(dataDirectory)
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const forEver = { expires_at: NOW + 100 * YEAR_MS, revoked_at: null }
  await storage.write(fillKeys, { ends: { idle: forEver, busy: forEver, unused: forEver }, now: 0 })
  const usedAt = (key_id: string, hour: number) => {
    const of = { key_id, project_id: 1, environment: 'production' as const, operation: 'listPets' }
    return { ...of, hour, calls: 1, failures: 0, last_at: hour + 5 }
  }
  const oldest = NOW - 90 * DAY_MS
  const hours = Array.from({ length: SOME }, (_, index) => oldest - (index + 1) * HOUR_MS)
  await storage.write(addUsage, [...hours.map((hour) => usedAt('idle', hour)), usedAt('idle', hours[0]!)])
  await storage.write(addUsage, [usedAt('busy', oldest - HOUR_MS), usedAt('busy', oldest), usedAt('gone', oldest)])
  await sweepOnce(storage, NOW)
  const left = await storage.read
    .selectFrom('key_usage')
    .where('hour', '<', NOW - DAY_MS)
    .selectAll()
    .execute()
  assert.deepEqual(
    left.map(({ key_id, hour }) => [key_id, hour]),
    [['busy', oldest]],
  )
  const keys = await listKeysOfProject(storage.read, 1)
  assert.deepEqual(Object.fromEntries(keys.map((key) => [key.id, key.last_used_at])), {
    idle: oldest - HOUR_MS + 5,
    busy: oldest + 5,
    unused: null,
  })
})

test('what is over goes in small steps, and what cannot be swept keeps nothing else', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-housekeeping-'))
  layOutSchema(dataDirectory)
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  await using storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: () => {} })
  const { read } = storage
  await storage.write(fill, undefined)
  const steps: string[] = []
  const counted = Object.assign(Object.create(storage) as Storage, {
    write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      steps.push((input as { what?: string }).what ?? write.name)
      return storage.write(write, input)
    },
  })
  const clock = new ManualClock(NOW)
  const config = { auditDays: 400, smtp: undefined }
  await using _housekeeping = startHousekeeping({ config, storage: counted, clock, log: createLog('silent') })
  await until(
    'the log is swept',
    async () => (await read.selectFrom('audit_entries').select('at').execute()).length === AHEAD,
  )
  const left = await read.selectFrom('idempotency_keys').select('key').execute()
  assert.deepEqual(
    left.map(({ key }) => key),
    [`key-${EXPIRED}`],
  )
  const taken = Object.groupBy(steps, (step) => step)
  assert.equal(taken['idempotency keys']?.length, 4)
  // Two steps for each table, and a last one that finds nothing: none looks for what another takes away.
  const { changes, checks, domains, certificates } = taken
  assert.deepEqual(
    [changes, checks, domains, certificates].map((of) => of?.length),
    [3, 3, 3, 3],
  )
})
