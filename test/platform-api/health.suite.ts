import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect } from 'node:tls'
import packageJson from '../../package.json' with { type: 'json' }
import type { Backlog, Instance, PlatformCertificate } from '../../client/src/platform/platform.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { cancelWork, databaseNow, scheduleWork } from '../../src/platform/work/lease.ts'
import { claim, postpone } from '../../src/platform/work/runner.ts'
import { expect, type House } from './house.ts'

/** Nobody works on it. */
const QUEUE = 'feeding'

const schedule = defineWrite('test.schedule', (db, { subject, dueAt }: { subject: string; dueAt: number }, engine) =>
  scheduleWork(db, engine, { queue: QUEUE, subject, dueAt, now: dueAt }),
)
const clear = defineWrite('test.clear', async (db, subjects: string[]) => {
  for (const subject of subjects) await cancelWork(db, QUEUE, subject)
})

/** As another process would have said it, so long ago. */
const sayFromElsewhere = defineWrite(
  'test.sayFromElsewhere',
  (db, { id, name, ageMs }: { id: string; name: string; ageMs: number }, engine) =>
    db
      .insertInto('instances')
      .values((eb) => ({
        id,
        name,
        process_id: 7,
        version: '0.9.0',
        started_at: 0,
        seen_at: eb(databaseNow(engine), '-', ageMs),
        leads_since: null,
        requests: 5,
        errors: 1,
        memory_bytes: 1e8,
        busy_percent: 3,
      }))
      .execute(),
)
const leave = defineWrite('test.leave', (db, _: undefined) =>
  db.deleteFrom('instances').where('process_id', '=', 7).execute(),
)

export function healthGuarantees(house: () => House): void {
  const ask = async (path: string) => expect(200, await house().operator.browser.get(`/operator/${path}`))

  test('projects and accounts come in pages, in their order, and by a part of what they are called', async () => {
    const made = []
    for (const name of ['50% off', 'Half_way', 'HALF the way']) {
      const { slug, owner } = await house().project()
      expect(200, await owner.browser.send(`/projects/${slug}`, { method: 'PATCH', body: { name } }))
      made.push({ slug, name, email: owner.email })
    }
    const pagesOf = async (list: string) => {
      const items = []
      for (let path: string | undefined = `/operator/${list}?limit=2`; path !== undefined;) {
        const answer = await house().operator.browser.get(path)
        items.push(...expect(200, answer))
        assert.ok(items.length % 2 === 0 || answer.headers.link === undefined)
        path = /<.*\/platform\/v1([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
      }
      return items
    }
    const names = async (q: string) =>
      (await ask(`projects?q=${encodeURIComponent(q)}`)).map(({ name }: { name: string }) => name)

    const slugs = (await pagesOf('projects')).map(({ slug }) => slug)
    assert.deepEqual(slugs, [...new Set(slugs)].toSorted())
    assert.deepEqual(
      made.filter(({ slug }) => !slugs.includes(slug)),
      [],
    )
    const emails = (await pagesOf('accounts')).map(({ email }) => email)
    assert.deepEqual(new Set(emails).size, emails.length)
    assert.deepEqual(
      made.filter(({ email }) => !emails.includes(email)),
      [],
    )
    assert.deepEqual(await names('half'), ['Half_way', 'HALF the way'])
    assert.deepEqual([await names('half_'), await names('0%')], [['Half_way'], ['50% off']])
    const [found, ...others] = await ask(`accounts?q=${encodeURIComponent(made[1]!.email.toUpperCase())}`)
    assert.deepEqual([found.email, others], [made[1]!.email, []])
    expect(400, await house().operator.browser.get('/operator/accounts?cursor=made-up'))
  })

  test('the operator sees every process with its workers, and one that fell silent until it is back', async () => {
    const { storage } = house().shop.petstore
    const [own] = (await ask('instances')) as [Instance]
    assert.deepEqual(
      [own.version, own.state, own.workers, own.leads, own.processId],
      [packageJson.version, 'serving', 1, true, process.pid],
    )
    assert.ok(own.memoryBytes > 1e7 && own.requests >= own.errors)

    await storage.write(sayFromElsewhere, { id: 'one', name: 'aside:4443', ageMs: 0 })
    await storage.write(sayFromElsewhere, { id: 'two', name: 'aside:4443', ageMs: 0 })
    await storage.write(sayFromElsewhere, { id: 'three', name: 'gone:4443', ageMs: 5 * MINUTE_MS })
    await storage.write(sayFromElsewhere, { id: 'four', name: own.name, ageMs: 5 * MINUTE_MS })
    const others = ((await ask('instances')) as Instance[]).filter(({ processId }) => processId === 7)
    assert.deepEqual(
      others.map(({ name, state, workers, requests, leads }) => [name, state, workers, requests, leads]),
      [
        ['aside:4443', 'serving', 2, 10, false],
        ['gone:4443', 'silent', 1, 5, false],
      ],
    )
    await storage.write(leave, undefined)
  })

  test('the operator sees what is due, late, under way and tried again, and which of it presses', async () => {
    const { clock, shop } = house()
    const { storage } = shop.petstore
    const now = clock.now()
    const dueAt = { hen: now - HOUR_MS, goat: now - 2 * MINUTE_MS, pig: now - SECOND_MS, owl: now + HOUR_MS }
    for (const [subject, at] of Object.entries(dueAt)) await storage.write(schedule, { subject, dueAt: at })
    // The hen is being fed by this instance, and the goat would not eat.
    const owners = [`${storage.instance}/1`, `${storage.instance}/2`]
    const [, goat] = await storage.write(claim, { queue: QUEUE, owners, now, leaseMs: HOUR_MS, busy: [] })
    assert.ok(goat?.subject === 'goat')
    await storage.write(postpone, { lease: goat, dueAt: now + MINUTE_MS, failures: 3 })

    const { queues, pressing } = (await ask('work')) as Backlog
    assert.deepEqual(
      queues.find(({ queue }) => queue === QUEUE),
      {
        queue: QUEUE,
        waiting: { count: 4, more: false },
        due: { count: 2, more: false },
        late: 0,
        underWay: 1,
        retrying: 1,
        oldestDueAt: new Date(dueAt.hen).toISOString(),
        nextDueAt: new Date(now + MINUTE_MS).toISOString(),
      },
    )
    const [own] = (await ask('instances')) as [Instance]
    assert.ok(own.leases >= 1)

    clock.advance(3 * MINUTE_MS)
    const later = (await ask('work')) as Backlog
    assert.equal(later.queues.find(({ queue }) => queue === QUEUE)?.late, 2)
    const pressingLater = later.pressing.filter(({ queue }) => queue === QUEUE)
    assert.deepEqual(
      pressingLater.map(({ subject, failures }) => [subject, failures]),
      [
        ['pig', 0],
        ['goat', 3],
      ],
    )
    assert.deepEqual(
      pressing.filter(({ queue }) => queue === QUEUE).map(({ subject }) => subject),
      ['goat'],
    )
    await storage.write(clear, Object.keys(dueAt))
  })

  test("the operator sees the certificates of the platform's names, who made them and their renewal", async () => {
    const { config } = house().shop
    const hostname = 'petstore.localhost'
    const socket = connect({ port: config.httpsPort, servername: hostname, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    socket.destroy()
    const certificates = (await ask('certificates')) as PlatformCertificate[]
    const own = certificates.find(({ names }) => names.includes(hostname))
    assert.deepEqual([own?.source, own?.authority, own?.lastFailure, own?.failures], ['internal', null, null, 0])
    assert.ok(Date.parse(own?.renewAt ?? '') < Date.parse(own?.notAfter ?? ''))
  })
}
