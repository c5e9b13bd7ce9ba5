import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createKey, revokeKey } from '../../src/features/keys/keys.ts'
import { hashKey } from '../../src/features/keys/format.ts'
import { ManualClock, SECOND_MS, systemClock } from '../../src/platform/clock.ts'
import { publishChange } from '../../src/platform/storage/change-feed.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { createPet } from './storage-trouble.ts'
import { assertGuessesCountTogether } from './wrong-passwords.ts'

let postgres: PostgresDatabases
before(async () => {
  postgres = await openPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

test('a key revoked on one instance is refused on the other', async (t) => {
  const environment = await sharedSettings()
  await using one = await startTestPetstore({ environment })
  const clock = new ManualClock(systemClock.now())
  await using other = await startTestPetstore({ environment, keys: one.keys, clock })

  await t.test('by notification, before it has looked by itself', () => revokeAndExpectRefusal(one, other, 0))
  await t.test('within a second of its clock without one, when the notifying connections are lost', async () => {
    const client = new Client(environment.DATABASE_URL)
    await client.connect()
    const { rows } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like '%from notices where xid%' and pid <> pg_backend_pid()`,
    )
    await client.end()
    assert.equal(rows.length, 2, 'each instance looks on one connection')
    await revokeAndExpectRefusal(one, other, SECOND_MS, () => clock.advance(SECOND_MS / 2))
  })
  await t.test('also if its transaction began before hundreds of others that were seen already', async () => {
    const capabilities = { storage: one.petstore.storage, clock: systemClock }
    const { id, key } = await createKey(capabilities, 1, { environment: 'production' })
    const headers = { Authorization: `Bearer ${key}` }
    assert.equal((await other.call('/pets', { headers })).status, 200)
    const client = new Client(environment.DATABASE_URL)
    await client.connect()
    await client.query('begin')
    const announce = `insert into notices (seq, topic, subject, announced_at)
      select nextval('notices_seq'), 'keys', $1, 0 from generate_series(1, $2::int)`
    await client.query(announce, [hashKey(key), 1])
    await client.query(`update keys set revoked_at = 1 where id = $1`, [id])
    await one.petstore.storage.write(announceOften, undefined)
    await other.petstore.changes.catchUp()
    await client.query('commit')
    await client.end()
    await other.petstore.changes.catchUp()
    assert.equal((await other.call('/pets', { headers })).status, 401)
  })
  await t.test('which have one limit together, of requests and of guesses at passwords', async () => {
    await until('the uses of the key are told', async () => {
      const { rows } = await sql`select 1 from limit_levels`.execute(one.petstore.storage.read)
      return rows.length >= 2
    })
    await assertGuessesCountTogether([one, other].map(({ config }) => config.baseUrl.origin))
  })
})

const announceOften = defineWrite('test.announceOften', async (db, _: undefined, engine) => {
  for (let count = 0; count < 250; count++) await publishChange(db, engine, 'nothing', String(count), 0)
})

/** Instances on one database share the key that seals what it holds. */
async function sharedSettings() {
  return { DATABASE_URL: await postgres.createSchema(), PETSTORE_MASTER_KEY: randomBytes(32).toString('base64') }
}

/** `withinMs` of the other's clock, which stands still but for `passTime`: that is when it looks by itself. */
async function revokeAndExpectRefusal(one: TestPetstore, other: TestPetstore, withinMs: number, passTime = () => {}) {
  const capabilities = { storage: one.petstore.storage, clock: systemClock }
  const { id, key } = await createKey(capabilities, 1, { environment: 'production' })
  const headers = { Authorization: `Bearer ${key}` }
  assert.equal((await other.call('/pets', { headers })).status, 200)
  await revokeKey(capabilities, 1, id)
  for (let passedMs = 0; passedMs < withinMs; passedMs += SECOND_MS / 2) passTime()
  await until('the other instance refuses it', async () => (await other.call('/pets', { headers })).status === 401)
}

test('a project that is suspended while an instance starts is refused there, too', async () => {
  const environment = await sharedSettings()
  await using one = await startTestPetstore({ environment })
  await using other = await meanwhile(one.petstore.storage, suspendAndHoldUp, { projectId: 1 }, () =>
    startTestPetstore({ environment, keys: one.keys }),
  )
  assert.equal((await other.call('/pets')).status, 403)
})

/** Whoever starts waits for the zones of the sandbox, before it hears of changes. */
const suspendAndHoldUp = defineWrite('test.suspend', async (db, { projectId }: { projectId: number }, engine) => {
  await sql`lock table sandbox_zones in access exclusive mode`.execute(db)
  await db.insertInto('suspensions').values({ project_id: projectId, reason: 'It sends spam.', since: 0 }).execute()
  await publishChange(db, engine, 'suspensions', String(projectId), systemClock.now())
})

test('a cursor neither skips nor repeats an animal while both instances add', async (t) => {
  const environment = { ...(await sharedSettings()), PETSTORE_RATE_LIMIT: 'off' }
  await using one = await startTestPetstore({ environment })
  await using other = await startTestPetstore({ environment, keys: one.keys })

  const added: number[] = []
  let adding = true
  const walk = followCursor(other, () => adding)
  const add = async (service: TestPetstore, count: number, withKeys: boolean) => {
    for (let index = 0; index < count; index++) {
      const response = await createPet(service, 'Rex', withKeys ? { 'Idempotency-Key': crypto.randomUUID() } : {})
      assert.equal(response.status, 201)
      added.push(((await response.json()) as { id: number }).id)
    }
  }
  await Promise.all(
    [one, other].flatMap((service) => [add(service, 60, false), add(service, 60, false), add(service, 60, true)]),
  )
  adding = false

  const { seen, pages } = await walk
  t.diagnostic(`${added.length} animals seen on ${pages} pages`)
  assert.deepEqual(
    seen,
    added.toSorted((a, b) => a - b),
  )
})

/** Reads small pages as fast as it can. At the end of the list it asks for the last page again, as a poller would. */
async function followCursor(service: TestPetstore, goOn: () => boolean): Promise<{ seen: number[]; pages: number }> {
  const seen: number[] = []
  let pages = 0
  let path = '/pets?limit=3'
  while (true) {
    const last = !goOn()
    const response = await service.call(path)
    assert.equal(response.status, 200)
    const page = ((await response.json()) as { id: number }[]).map(({ id }) => id)
    const next = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
    pages++
    if (next !== undefined) {
      seen.push(...page)
      path = next
    } else if (last) {
      seen.push(...page)
      return { seen, pages }
    }
  }
}
