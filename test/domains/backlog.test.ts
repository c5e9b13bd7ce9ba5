import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { CERTIFICATE_QUEUE } from '../../src/features/domains/topics.ts'
import { HOUR_MS, ManualClock, MINUTE_MS, systemClock } from '../../src/platform/clock.ts'
import { startDnsServer } from '../../src/platform/dns/server.ts'
import { type Zone, type ZoneRecord, zonesFrom } from '../../src/platform/dns/zone.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { scheduleWork } from '../../src/platform/work/lease.ts'
import { createScriptedIssuer } from './scripted-issuer.ts'
import { openDomainWorld, OPENING } from './world.ts'

const NS = 'ns1.lab.test'
const HOSTS = Array.from({ length: 12 }, (_, index) => `shop${index}.example.test`)

const lookNow = defineWrite('test.lookNow', async (db, { now }: { now: number }, engine) => {
  for (const subject of HOSTS) await scheduleWork(db, engine, { queue: CERTIFICATE_QUEUE, subject, dueAt: now, now })
})

test('a backlog over the budget asks no nameserver in vain, wakes one by one, and is issued in the end', async () => {
  const zones: Zone[] = [
    zone('lab.test', [{ name: NS, type: 'A', ttl: 60, data: '127.0.0.1' }]),
    zone('pets.test', [{ name: '*.pets.test', type: 'A', ttl: 60, data: '127.0.0.1' }]),
    zone('example.test', []),
  ]
  let questions = 0
  const counted = zonesFrom(() => {
    questions++
    return zones
  })
  const listener = { nameserver: NS, address: '127.0.0.1', port: 0, zones: counted }
  await using dns = await startDnsServer({ clock: systemClock, listeners: [listener] })
  const clock = new ManualClock(OPENING)
  const issuer = await createScriptedIssuer(clock)
  const orders = { burst: 2, windowMs: 2 * HOUR_MS }
  let drawn = 0
  await using world = await openDomainWorld({
    clock,
    environment: { PETSTORE_PLATFORM_HOST: 'pets.test', PETSTORE_DNS: `127.0.0.1:${dns.listeners[0]?.port}` },
    authority: async () => ({
      issuer,
      limits: { orders },
      caa: async () => undefined,
      rootsPem: async () => [],
    }),
    random: () => (drawn++ * 0.381_966) % 1,
  })
  const actor = await world.project()
  for (const hostname of HOSTS) {
    const { record } = (await addDomain(world.verbs, actor, { hostname })).record
    zones[2]?.records.push({ name: hostname, type: 'CNAME', ttl: 60, data: record.value })
    await verifyDomain(world.verbs, actor, hostname)
  }
  await world.settle()
  const states = async () => {
    const views = await Promise.all(HOSTS.map((hostname) => showDomain(world.verbs, actor, hostname)))
    return views.map(({ state }) => state)
  }
  assert.equal((await states()).filter((state) => state === 'live').length, 2)

  const before = questions
  await world.storage.write(lookNow, { now: clock.now() })
  await world.settle()
  assert.equal(questions, before, 'the budget is asked before DNS is')
  const due = await world.storage.read
    .selectFrom('work')
    .innerJoin('issuances', 'issuances.hostname', 'work.subject')
    .select(['due_at', 'problem'])
    .where('queue', '=', CERTIFICATE_QUEUE)
    .execute()
  assert.equal(due.length, 10)
  assert.equal(new Set(due.map(({ due_at }) => due_at)).size, 10, 'no two wake at the same moment')
  assert.ok(
    due.every(({ due_at }) => due_at >= OPENING + HOUR_MS),
    'nobody wakes before there is room',
  )
  assert.ok(due.every(({ problem }) => JSON.parse(problem as string).code === 'held_back'))

  for (let hours = 0; hours < 30 && (await states()).some((state) => state !== 'live'); hours++) {
    await world.pass(HOUR_MS, 10 * MINUTE_MS)
  }
  assert.deepEqual(new Set(await states()), new Set(['live']))
  const perWindow = issuer.attempts.map(
    (at) => issuer.attempts.filter((other) => other >= at && other < at + HOUR_MS).length,
  )
  assert.ok(Math.max(...perWindow) <= orders.burst, 'the budget was kept all the time')
})

function zone(apex: string, records: ZoneRecord[]): Zone {
  return { apex, serial: 1, records: [{ name: apex, type: 'NS', ttl: 60, data: NS }, ...records] }
}
