import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { startDnsServer } from '../../src/platform/dns/server.ts'
import { type Zone, type ZoneRecord, zonesFrom } from '../../src/platform/dns/zone.ts'
import { openDomainWorld } from './world.ts'

const ns = 'ns1.lab.test'

function zone(apex: string, records: ZoneRecord[]): Zone {
  return { apex, serial: 1, records: [{ name: apex, type: 'NS', ttl: 60, data: ns }, ...records] }
}

/** A platform at pets.test, whose operator names the one server that knows it and example.test. */
async function openLaboratory(ofPlatform: ZoneRecord[] = []) {
  await using building = new AsyncDisposableStack()
  const zones: Zone[] = [
    zone('lab.test', [{ name: ns, type: 'A', ttl: 60, data: '127.0.0.1' }]),
    zone('pets.test', [{ name: '*.pets.test', type: 'A', ttl: 60, data: '127.0.0.1' }, ...ofPlatform]),
    zone('example.test', []),
  ]
  const listener = { nameserver: ns, address: '127.0.0.1', port: 0, zones: zonesFrom(() => zones) }
  const dns = building.use(await startDnsServer({ clock: systemClock, listeners: [listener] }))
  const environment = { PETSTORE_PLATFORM_HOST: 'pets.test', PETSTORE_DNS: `127.0.0.1:${dns.listeners[0]?.port}` }
  const world = building.use(await openDomainWorld({ environment }))
  const running = building.move()
  return { world, zones, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

test('a CAA record of our own that forbids the authority is the operator’s to mend, who is told', async () => {
  const forbidding = { flags: 0, tag: 'issue', value: 'other.example' }
  await using lab = await openLaboratory([{ name: '*.pets.test', type: 'CAA', ttl: 60, data: forbidding }])
  const { world, zones } = lab
  const actor = await world.project()
  const { record } = (await addDomain(world.verbs, actor, { hostname: 'www.example.test' })).record
  zones[2]?.records.push({ name: 'www.example.test', type: 'CNAME', ttl: 60, data: record.value })
  await verifyDomain(world.verbs, actor, 'www.example.test')
  await world.settle()
  const { issuance, lastCheck } = await showDomain(world.verbs, actor, 'www.example.test')
  assert.deepEqual(
    lastCheck?.problems.map(({ code }) => code),
    ['caa_platform'],
  )
  assert.equal(issuance?.problem?.code, 'operator_needed')
  assert.match(issuance?.problem?.message ?? '', /This is on our side.*we try again by ourselves\.$/)
  assert.match(JSON.stringify(world.errors), /"hostname":"www\.example\.test","code":"operator_needed"/)
})

test('a private nameserver is asked only where the operator named it as the resolver', async () => {
  await using lab = await openLaboratory()
  const { world, zones } = lab
  const actor = await world.project()
  const { record } = (await addDomain(world.verbs, actor, { hostname: 'www.example.test' })).record
  assert.match(record.value, /\.pets\.test$/)
  zones[2]?.records.push({ name: 'www.example.test', type: 'CNAME', ttl: 60, data: record.value })
  await verifyDomain(world.verbs, actor, 'www.example.test')
  await world.settle()
  const live = await showDomain(world.verbs, actor, 'www.example.test')
  assert.equal(live.state, 'live', JSON.stringify(live.lastCheck))

  zones.push({
    apex: 'inside.test',
    serial: 1,
    records: [
      { name: 'inside.test', type: 'NS', ttl: 60, data: 'ns1.inside.test' },
      { name: 'ns1.inside.test', type: 'A', ttl: 60, data: '10.0.0.53' },
    ],
  })
  await addDomain(world.verbs, actor, { hostname: 'www.inside.test' })
  await verifyDomain(world.verbs, actor, 'www.inside.test')
  await world.settle()
  assert.ok((await showDomain(world.verbs, actor, 'www.inside.test')).problems.includes('nameserver_private'))
})
