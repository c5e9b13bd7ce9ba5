import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { createVault } from '../../src/features/certificates/vault.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { resumeProject, suspendProject } from '../../src/features/projects/suspensions.ts'
import { deliverDue, type DeliverNeeds } from '../../src/features/webhooks/deliver.ts'
import { removeEndpoint, rotateSecret, switchOff } from '../../src/features/webhooks/endpoint-writes.ts'
import { loseSecrets } from '../../src/features/webhooks/lost-secrets.ts'
import { type Endpoint, findEndpoint } from '../../src/features/webhooks/queries.ts'
import { oldSecrets, type SecretSealer } from '../../src/features/webhooks/secrets.ts'
import { sweepWebhooks } from '../../src/features/webhooks/sweep.ts'
import { WEBHOOK_QUEUE, WebhookWatch } from '../../src/features/webhooks/watch.ts'
import { changeEndpoint, createEndpoint, rotateEndpointSecret } from '../../src/features/webhooks/webhooks.ts'
import { migrations } from '../../src/migrations.ts'
import { deleteProjectRow, purgeStep } from '../../src/platform-api/delete-project.ts'
import { DAY_MS, HOUR_MS, ManualClock, MINUTE_MS, SECOND_MS } from '../../src/platform/clock.ts'
import { AT_ONCE, HELD } from '../../src/platform/outbox/due.ts'
import {
  findDueMessages,
  findDueSubscribers,
  listMessages,
  type Message,
  recordTold,
  releaseMessages,
  tellAgain,
} from '../../src/platform/outbox/messages.ts'
import { type NewMessage, recordMessage } from '../../src/platform/outbox/record.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite, type Storage } from '../../src/platform/storage/storage.ts'
import { scheduleWork } from '../../src/platform/work/lease.ts'
import { claim } from '../../src/platform/work/runner.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'

/** At this one, and at nothing that another test has left to do. */
const lookAt = defineWrite('test.lookAt', async (db, { subject, now }: { subject: string; now: number }, engine) => {
  await db.deleteFrom('work').execute()
  await scheduleWork(db, engine, { queue: WEBHOOK_QUEUE, subject, dueAt: now, now })
})

/** More than are under way at once. */
const PETS = [1, 2, 3, 4, 5, 6]
const AT_ONCE_MAX = 4

const setOff = defineWrite('test.setOff', async (db, { id }: { id: string }) => {
  await db.updateTable('webhook_endpoints').set({ off_at: 0 }).where('id', '=', id).execute()
})
/** As where a change that was under way is told to one that has been removed. */
const dropRow = defineWrite('test.dropRow', async (db, { id }: { id: string }) => {
  await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
})
const sweep = defineWrite('test.sweep', async (db, { now }: { now: number }) => {
  while (await sweepWebhooks(db, now));
})
/** Once more: how many rows it has looked at. The server may not have put away yet what the session did before. */
const rowsSwept = defineWrite('test.rowsSwept', async (db, { now }: { now: number }) => {
  const read = async () => {
    const { rows } = await sql<{ read: number }>`select seq_tup_read + idx_tup_fetch as read
      from pg_stat_xact_user_tables where relname = 'outbox_messages'`.execute(db)
    return rows[0]?.read as number
  }
  const before = await read()
  await sweepWebhooks(db, now)
  return (await read()) - before
})
const keepMany = defineWrite('test.keepMany', async (db, { id, projectId }: { id: string; projectId: number }) => {
  await sql`insert into outbox_messages (subscriber, seq, id, project_id, type, resource, data, created_at, due_at)
    select ${id}, n, concat('msg_', n), ${projectId}, 'pet.created', concat('pet/', n), '{}', 0, ${HELD}
    from generate_series(1000001, 1005000) as n`.execute(db)
  await sql`analyze outbox_messages`.execute(db)
})
const putOff = defineWrite('test.putOff', async (db, { id, until }: { id: string; until: number }) => {
  await db.updateTable('outbox_messages').set({ due_at: until }).where('subscriber', '=', id).execute()
})
const lose = defineWrite('test.lose', (db, at: number) => loseSecrets(db, at))
const gather = defineWrite(
  'test.gather',
  async (db, of: { id: string; projectId: number; count: number; at: number }) => {
    await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${of.count})
    insert into outbox_messages (subscriber, seq, id, project_id, type, resource, data, created_at, due_at)
    select ${of.id}, 2000000 + n, concat('many_', n), ${of.projectId}, 'pet.created', concat('pet/', n), '{}',
      ${of.at}, 0 from numbers where true`.execute(db)
  },
)
/** As many are told in one round, and stay in the log. */
const tellLast = defineWrite('test.tellLast', async (db, { id, count }: { id: string; count: number }) => {
  const last = sql<number>`(select max(seq) - ${count} from outbox_messages where subscriber = ${id})`
  await db
    .updateTable('outbox_messages')
    .set({ due_at: null })
    .where('subscriber', '=', id)
    .where('seq', '>', last)
    .execute()
})
const recordDone = defineWrite('test.recordDone', (db, { now, ...message }: Message & { now: number }) =>
  recordTold(db, { message, nextDueAt: undefined, delivered: true, now }),
)
const again = defineWrite('test.again', (db, { subscriber, id }: Message) => tellAgain(db, subscriber, id))
const tell = defineWrite('test.tell', (db, message: NewMessage, engine) => recordMessage(db, engine, message, 0))

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`an endpoint that goes off or away, on ${engine}`, () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-webhooks-'))
    const clock = new ManualClock(1_800_000_000_000)
    const now = clock.now()
    let server: PostgresDatabases | undefined
    let storage: Storage
    let projects = 0
    const suspended = new Set<number>()
    const isSuspended = (projectId: number) => suspended.has(projectId)

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      const databaseUrl = await server?.createSchema()
      storage = await openStorage({ dataDirectory, databaseUrl, migrations, onError: () => {} })
    })
    after(async () => {
      await storage?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
      rmSync(dataDirectory, { recursive: true, force: true })
    })

    async function open(url = 'http://127.0.0.1:9/') {
      const { id: projectId, slug } = await createProject({ storage, clock }, { slug: `kennel-${++projects}` })
      const needs = { storage, clock, sealer: createVault(randomBytes(32)), mayBePlain: true }
      const add = async () => (await createEndpoint(needs, projectId, { url })).id
      const of = { projectId, id: await add() }
      return { of, slug, add, needs, rename: () => changeEndpoint(needs, of, { name: 'New' }) }
    }

    /** One round, as when somebody has asked for it. */
    async function deliverTo(
      subject: string,
      { sealer }: { sealer: SecretSealer },
      limits = {},
      others: Partial<DeliverNeeds> = {},
    ) {
      await storage.write(lookAt, { subject, now: clock.now() })
      const claimed = { queue: WEBHOOK_QUEUE, owners: ['one'], now: clock.now(), leaseMs: HOUR_MS, busy: [] }
      const [lease] = await storage.write(claim, claimed)
      assert.equal(lease?.subject, subject)
      const privateNetworks = new BlockList()
      privateNetworks.addSubnet('127.0.0.0', 8)
      const addressesOf = async () => ({ v4: [], v6: [] })
      const sending = { addressesOf, privateNetworks, trustedPem: async () => [], ...limits }
      const needs = { storage, audited: storage, clock, isSuspended, sealer, random: () => 0, sending, ...others }
      await deliverDue(needs, lease, new AbortController().signal)
    }

    const tellOf = ({ projectId }: { projectId: number }, pet: number) =>
      storage.write(tell, { projectId, type: 'pet.created', resource: `pet/${pet}`, data: `{"id":${pet}}` })

    const dueTimesOf = async (id: string) => {
      const messages = storage.read.selectFrom('outbox_messages').select('due_at').where('subscriber', '=', id)
      return (await messages.orderBy('seq').execute()).map(({ due_at }) => due_at)
    }

    const subscriptionsOf = (id: string) =>
      storage.read.selectFrom('outbox_subscriptions').select('type').where('subscriber', '=', id).execute()

    test('gets nothing while its project is suspended, and what waits as soon as that goes on', async () => {
      await using receiver = await startReceiver()
      const { of, needs } = await open(receiver.url)
      await tellOf(of, 1)
      suspended.add(of.projectId)
      await deliverTo(of.id, needs)
      assert.equal(receiver.received.length, 0)
      suspended.delete(of.projectId)
      await deliverTo(of.id, needs)
      assert.equal(receiver.received.length, 1)
    })

    test('hears of nothing once it is removed, also when somebody renames it meanwhile', async () => {
      const { of, rename } = await open()
      await meanwhile(storage, removeEndpoint, of, () => assert.rejects(rename(), { code: 'not_found' }))
      assert.deepEqual(await subscriptionsOf(of.id), [])
    })

    test('is removed with some of its messages, and the rest goes in steps, so that no write waits', async () => {
      const { of, add } = await open()
      const stays = { ...of, id: await add() }
      for (const endpoint of [of, stays]) {
        await storage.write(gather, { ...endpoint, count: 2500, at: now })
        await storage.write(tellLast, { ...endpoint, count: 500 })
      }
      await storage.write(removeEndpoint, of)
      assert.equal((await dueTimesOf(of.id)).length, 1500)
      await storage.write(sweep, { now })
      assert.deepEqual([(await dueTimesOf(of.id)).length, (await dueTimesOf(stays.id)).length], [0, 2500])
      await storage.write(removeEndpoint, stays)
      await storage.write(sweep, { now })
    })

    test('gets nothing of what waits once its project is deleted, also when it is renamed meanwhile', async () => {
      await using receiver = await startReceiver()
      const { of, rename, needs } = await open(receiver.url)
      await tellOf(of, 1)
      const deletion = { id: of.projectId, accountId: null, now }
      await meanwhile(storage, deleteProjectRow, deletion, () => assert.rejects(rename(), { code: 'not_found' }))
      assert.deepEqual(await subscriptionsOf(of.id), [])
      await deliverTo(of.id, needs)
      assert.deepEqual(receiver.received, [])
      while (!(await storage.write(purgeStep, { id: of.projectId })).finished);
      assert.deepEqual(await findDueSubscribers(storage.read, now), [])
    })

    test('is not made for a project that is deleted meanwhile', async () => {
      const { of, add } = await open()
      const deletion = { id: of.projectId, accountId: null, now }
      await meanwhile(storage, deleteProjectRow, deletion, () => assert.rejects(add(), { code: 'not_found' }))
      const subscriptions = storage.read.selectFrom('outbox_subscriptions').select('subscriber')
      assert.deepEqual(await subscriptions.where('project_id', '=', of.projectId).execute(), [])
    })

    test('stays off and hears of nothing, also when somebody renames it meanwhile', async () => {
      const { of, rename } = await open()
      const view = await meanwhile(storage, switchOff, { id: of.id, reason: 'gone' as const, now }, rename)
      assert.equal(view.offReason, 'gone')
      assert.deepEqual(await subscriptionsOf(of.id), [])
    })

    test('has the secrets of the rotations before beside its own, also of one at the same time', async () => {
      const { of, needs } = await open()
      const { sealed_secret } = (await findEndpoint(storage.read, of.id)) as Endpoint
      const first = { ...of, sealed: 'v1.of.the.first', oldUntil: now + HOUR_MS, now }
      await meanwhile(storage, rotateSecret, first, () => rotateEndpointSecret(needs, of))
      const old = oldSecrets((await findEndpoint(storage.read, of.id)) as Endpoint, now)
      assert.deepEqual(
        old.map(({ sealed }) => sealed),
        [first.sealed, sealed_secret],
      )
    })

    test('rests as a whole, longer each time, while nothing of it is answered in time', async () => {
      await using receiver = await startReceiver()
      receiver.answer = () => {}
      const { of, needs } = await open(receiver.url)
      for (let pet = 1; pet <= 10; pet++) await tellOf(of, pet)
      const row = () => storage.read.selectFrom('work').select('due_at').where('subject', '=', of.id).executeTakeFirst()
      const deliver = async (limits: { answerTimeoutMs?: number } = {}) => {
        await deliverTo(of.id, needs, limits)
        return row()
      }
      for (const pauseMs of [5, 5, 10, 20, 40, 80, 120, 120].map((seconds) => seconds * SECOND_MS)) {
        const before = receiver.received.length
        assert.equal((await deliver({ answerTimeoutMs: 30 }))?.due_at, clock.now() + pauseMs)
        assert.ok(receiver.received.length <= before + 4, 'no more than began side by side')
        clock.advance(pauseMs)
      }
      receiver.answer = (_, response) => void response.writeHead(204).end()
      clock.advance(HOUR_MS)
      assert.equal(await deliver(), undefined)
      assert.deepEqual(await findDueSubscribers(storage.read, clock.now()), [])
    })

    test('keeps what was under way as it went off, and what waits behind that', async () => {
      await using receiver = await startReceiver()
      const { of, needs } = await open(receiver.url)
      for (const pet of [1, 1, 2]) await tellOf(of, pet)
      receiver.answer = (_, response) => void response.writeHead(500).end()
      await deliverTo(of.id, needs)
      // Their last attempt.
      clock.advance(3 * DAY_MS)
      receiver.answer = async ({ event }, response) => {
        await changeEndpoint(needs, of, { on: false })
        response.writeHead(event.data.id === 1 ? 204 : 500).end()
      }
      await deliverTo(of.id, needs)
      assert.deepEqual(await dueTimesOf(of.id), [null, HELD, HELD])
      receiver.answer = (_, response) => void response.writeHead(204).end()
      await changeEndpoint(needs, of, { on: true })
      const before = receiver.received.length
      await deliverTo(of.id, needs)
      assert.deepEqual(
        receiver.received
          .slice(before)
          .map(({ event }) => event.data.id)
          .toSorted(),
        [1, 2],
      )
    })

    for (const [status, headers] of [
      [204, {}],
      [410, {}],
      [503, { 'Retry-After': '600' }],
    ] as const) {
      test(`gets everything at its new address, also what the old one still answers with ${status}`, async () => {
        await using old = await startReceiver()
        await using moved = await startReceiver()
        const { of, needs } = await open(old.url)
        for (const pet of PETS) await tellOf(of, pet)
        old.answer = async (_, response) => {
          await changeEndpoint(needs, of, { url: moved.url })
          response.writeHead(status, headers).end()
        }
        await deliverTo(of.id, needs)
        assert.deepEqual(new Set(moved.received.map(({ event }) => event.data.id)), new Set(PETS))
        assert.deepEqual(new Set(await dueTimesOf(of.id)), new Set([null]))
        const { off_at, last_failed_at } = (await findEndpoint(storage.read, of.id)) ?? {}
        assert.deepEqual({ off_at, last_failed_at }, { off_at: null, last_failed_at: null })
        const attempts = storage.read.selectFrom('webhook_attempts').select('status').where('endpoint_id', '=', of.id)
        const logged = await attempts.where('url', '=', old.url).execute()
        assert.deepEqual(logged.length, old.received.length, 'the log has what the old one answered')
      })
    }

    test('signs nothing with a secret that has ended, from the next message on', async () => {
      await using receiver = await startReceiver()
      const { of, needs } = await open(receiver.url)
      for (const pet of PETS) await tellOf(of, pet)
      await rotateEndpointSecret(needs, of)
      await rotateEndpointSecret(needs, of)
      const rotated = Promise.withResolvers<{ secret: string }>()
      receiver.answer = async (_, response) => {
        // Not before: on a busy machine the last of them would be signed after it.
        if (receiver.received.length === AT_ONCE_MAX) rotated.resolve(rotateEndpointSecret(needs, of, 0))
        await rotated.promise
        response.writeHead(204).end()
      }
      await deliverTo(of.id, needs)
      const { secret } = await rotated.promise
      const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
      assert.deepEqual(signatures, [3, 3, 3, 3, 1, 1])
      for (const { headers, body } of receiver.received.slice(AT_ONCE_MAX)) {
        await verifyWebhook(secret, headers as Record<string, string>, body, { now: () => clock.now() })
      }
    })

    test('gets in one round what waits behind a message, also when that is told in the middle of a look', async () => {
      await using receiver = await startReceiver()
      const { of, needs } = await open(receiver.url)
      for (const pet of [1, 1]) await tellOf(of, pet)
      const told = Promise.withResolvers<void>()
      let looks = 0
      const slowly: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          const isLook = result.rows.every((row) => Object.keys(row).join() === 'resource')
          if (isLook && ++looks === 2) await told.promise
          return result
        },
      }
      const write: Storage['write'] = async (...what) => {
        const outcome = await storage.write(...what)
        // Later than whoever has asked for it goes on.
        setImmediate(told.resolve)
        return outcome
      }
      const slow: Storage = Object.create(storage, {
        read: { value: storage.read.withPlugin(slowly) },
        write: { value: write },
      })
      await deliverTo(of.id, needs, {}, { storage: slow, audited: slow })
      assert.equal(receiver.received.length, 2)
    })

    test('gets in one round what waits beside many resources whose first message waits for later', async () => {
      await using receiver = await startReceiver()
      const { of, needs } = await open(receiver.url)
      for (let pet = 1; pet <= 50; pet++) await tellOf(of, pet)
      await storage.write(putOff, { id: of.id, until: clock.now() + HOUR_MS })
      for (let pet = 1; pet <= 51; pet++) await tellOf(of, pet)
      await deliverTo(of.id, needs)
      assert.deepEqual(
        receiver.received.map(({ event }) => event.data.id),
        [51],
      )
    })

    test('is told first of what has waited longest, however few it takes at once', async () => {
      const { of } = await open()
      const resources = Array.from({ length: 12 }, (_, at) => `pet/${at + 1}`)
      for (const at of resources.keys()) await tellOf(of, at + 1)
      const look = { now: clock.now(), except: new Set<string>() }
      for (const resourcesMax of [1, 5, 12]) {
        const { due } = await findDueMessages(storage.read, of.id, { ...look, resourcesMax })
        assert.deepEqual(
          due.map(({ resource }) => resource),
          resources.slice(0, resourcesMax),
        )
      }
    })

    test('is not given up for the time in which its project was suspended', async () => {
      await using receiver = await startReceiver()
      const { of, slug, needs } = await open(receiver.url)
      await tellOf(of, 1)
      receiver.answer = (_, response) => void response.writeHead(500).end()
      await deliverTo(of.id, needs)
      await suspendProject(needs, { slug, reason: 'It sends spam.', now: clock.now() })
      clock.advance(4 * DAY_MS)
      await resumeProject(needs, { slug, now: clock.now() })
      await deliverTo(of.id, needs)
      assert.equal(receiver.received.length, 2)
      const [due] = await dueTimesOf(of.id)
      assert.deepEqual([(await findEndpoint(storage.read, of.id))?.off_at, due === null || due === HELD], [null, false])
    })

    test('gets what waited when it is on again, however old that has become by then', async () => {
      await using receiver = await startReceiver()
      const { of, needs } = await open(receiver.url)
      for (const pet of [1, 1]) await tellOf(of, pet)
      await storage.write(switchOff, { id: of.id, reason: 'failing', now: clock.now() })
      clock.advance(13 * DAY_MS)
      await changeEndpoint(needs, of, { on: true })
      for (const status of [500, 204]) {
        receiver.answer = (_, response) => void response.writeHead(status).end()
        await storage.write(sweep, { now: clock.now() })
        await deliverTo(of.id, needs)
        clock.advance(MINUTE_MS)
      }
      assert.equal(receiver.received.length, 3)
      await storage.write(sweep, { now: clock.now() })
      assert.deepEqual(await dueTimesOf(of.id), [])
    })

    test('keeps what waits for two weeks from then, however old it is', async () => {
      const { of, add } = await open()
      const gone = await add()
      await tellOf(of, 1)
      await storage.write(dropRow, { id: gone })
      await storage.write(switchOff, { id: of.id, reason: 'failing', now: clock.now() })
      const kept = async () => [await dueTimesOf(of.id), await dueTimesOf(gone)]
      for (const waiting of [[HELD], []]) {
        clock.advance(13 * DAY_MS)
        await storage.write(sweep, { now: clock.now() })
        assert.deepEqual(await kept(), [waiting, []])
      }
    })

    test('is told again what is old, also when that is swept meanwhile', async () => {
      const { of } = await open()
      await tellOf(of, 1)
      const [message] = await listMessages(storage.read, of.id, { limit: 1 })
      await storage.write(recordDone, { ...(message as Message), now: clock.now() })
      await meanwhile(storage, again, message as Message, () => storage.write(sweep, { now: clock.now() }))
      assert.deepEqual(await dueTimesOf(of.id), [AT_ONCE])
    })

    test('gets what waited when it is on again, also when the sweep took it for one that is off', async () => {
      const { of, add } = await open()
      const [first, second] = [of.id, await add()].toSorted() as [string, string]
      await tellOf(of, 1)
      for (const id of [first, second]) await storage.write(switchOff, { id, reason: 'failing', now: clock.now() })
      clock.advance(15 * DAY_MS)
      const [message] = await listMessages(storage.read, first, { limit: 1 })
      const sweepNow = () => storage.write(sweep, { now: clock.now() })
      // The sweep waits for what is told again, and finds the other one on when it gets there.
      await meanwhile(storage, again, message as Message, sweepNow, async (db) => {
        await db.updateTable('webhook_endpoints').set({ off_at: null }).where('id', 'in', [first, second]).execute()
        await releaseMessages(db, second)
      })
      assert.deepEqual([await dueTimesOf(first), await dueTimesOf(second)], [[AT_ONCE], [AT_ONCE]])
    })

    // Only PostgreSQL says how many rows it has looked at.
    if (engine === 'postgres') {
      test('costs the sweep nothing while much is kept for it', async () => {
        const { of } = await open()
        await storage.write(switchOff, { id: of.id, reason: 'failing', now: clock.now() })
        await storage.write(keepMany, of)
        await storage.write(sweep, { now: clock.now() })
        assert.ok((await storage.write(rowsSwept, { now: clock.now() })) < 1000)
      })
    }

    test('is not worked on while it is off, also where a change that was under way is told to it', async () => {
      const { of, add } = await open()
      const { of: stopped } = await open()
      await tellOf(stopped, 1)
      suspended.add(stopped.projectId)
      const on = await add()
      // By a transaction that has looked who is to be told before it went off.
      await tellOf(of, 1)
      await storage.write(setOff, { id: of.id })
      const due = new Set(await findDueSubscribers(storage.read, clock.now()))
      assert.ok(due.isSupersetOf(new Set([of.id, on])))

      const woken = Promise.withResolvers<void>()
      await using watch = new WebhookWatch({ storage, clock, isSuspended, wake: woken.resolve, onError: woken.reject })
      watch.start()
      await woken.promise
      const work = await storage.read
        .selectFrom('work')
        .select('subject')
        .where('subject', 'in', [of.id, on, stopped.id])
        .execute()
      assert.deepEqual(
        work.map(({ subject }) => subject),
        [on],
      )
    })

    if (engine === 'sqlite') {
      // The last one: every other endpoint loses its secret too.
      test('gathers while its secret is lost, until another is made or too much waits', async () => {
        const { of, add, needs } = await open()
        const unwanted = { ...of, id: await add() }
        await tellOf(of, 1)
        const { off } = await storage.write(lose, now)
        assert.ok(off.some(({ id, off_reason }) => id === of.id && off_reason === 'secret_lost'))
        await storage.write(sweep, { now })
        await tellOf(of, 2)
        assert.equal((await dueTimesOf(of.id)).length, 2)
        // People go on deciding what it hears of, and whether it does.
        await changeEndpoint(needs, of, { events: ['pet.created', 'order.created'] })
        assert.deepEqual((await subscriptionsOf(of.id)).map(({ type }) => type).sort(), [
          'order.created',
          'pet.created',
        ])
        assert.equal((await changeEndpoint(needs, unwanted, { on: false })).offReason, 'person')
        assert.deepEqual(await subscriptionsOf(unwanted.id), [])
        assert.equal((await rotateEndpointSecret(needs, unwanted)).state, 'off')
        await storage.write(gather, { ...of, count: 99_997, at: now })
        await storage.write(sweep, { now })
        await tellOf(of, 3)
        await storage.write(sweep, { now })
        assert.deepEqual(await subscriptionsOf(of.id), [])
        await tellOf(of, 4)
        assert.equal((await dueTimesOf(of.id)).length, 100_000)
      })
    }
  })
}
