import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cname, startTestDns, zone } from '../../../test/harness/dns.ts'
import { layOutSchema } from '../../../test/harness/schema.ts'
import { readConfig } from '../../config.ts'
import { CHALLENGE_SECRET, openChallengeZone } from '../../features/domains/preparation/challenge-zone.ts'
import { migrations } from '../../migrations.ts'
import { systemClock } from '../../platform/clock.ts'
import { openAuthoritativeListener } from '../../platform/dns/authoritative/listener.ts'
import { openStorage } from '../../platform/storage/open.ts'
import { settledValue } from '../../platform/storage/setting.ts'
import { checkDnsZone } from './dns-zone.ts'
import { checkPlatformChallenge } from './platform-challenge.ts'

const ZONE = 'acme.pets.example'
const WILDCARD = '_acme-challenge.pets.example'

test('the DNS port, the delegation of the zone and the platform’s own record are looked at', async () => {
  await using closing = new AsyncDisposableStack()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-doctor-'))
  closing.defer(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const dns = closing.use(await startTestDns([zone('pets.example')]))
  const labels = { apex: ZONE, nameservers: ['ns.pets.example'] as const, has: () => false, textsAt: () => [] }
  const at = { address: '127.0.0.1', port: 0 }
  const onError = (error: unknown) => assert.fail(error as Error)
  const listener = closing.use(await openAuthoritativeListener({ clock: systemClock, zone: labels, at, onError }))
  const stranger = createSocket('udp4').bind(0, '127.0.0.1')
  closing.defer(() => void stranger.close())
  await once(stranger, 'listening')
  const look = async (port: number, address = '127.0.0.1') => {
    const config = readConfig({
      PETSTORE_DATA: dataDirectory,
      PETSTORE_PLATFORM_HOST: 'pets.example',
      PETSTORE_ACME_DIRECTORY: 'https://acme.example/dir',
      PETSTORE_DNS: `127.0.0.1:${dns.resolvers[0]!.port}`,
      PETSTORE_DNS_ZONE: ZONE,
      PETSTORE_DNS_LISTEN: `${address}:${port}`,
      PETSTORE_DNS_NAMESERVERS: 'ns.pets.example',
    })
    const checks = [
      ...(await checkDnsZone(config, systemClock)),
      ...(await checkPlatformChallenge(config, systemClock)),
    ]
    return checks.map(({ state, message }) => `${state}: ${message}`)
  }

  const [taken = '', lost = '', early = ''] = await look(stranger.address().port)
  assert.match(taken, /^fail: is in use by something that does not answer for acme\.pets\.example\. .*DNS_LISTEN/)
  assert.match(lost, /^warn: .* create NS records for acme\.pets\.example with the value ns\.pets\.example, and open/)
  assert.match(early, /^warn: .* not known before the first start/)

  layOutSchema(dataDirectory)
  const choice = { dataDirectory, databaseUrl: undefined, migrations, onError }
  const storage = closing.use(await openStorage(choice))
  const secret = await settledValue(storage, CHALLENGE_SECRET, () => 'secret')
  const target = openChallengeZone(ZONE, secret).nameFor({ hostname: '*.pets.example', projectId: undefined })
  const { port } = listener
  const missing = (await look(port)).at(-1) as string
  assert.match(missing, /^warn: In the zone of pets\.example, create a CNAME with the name _acme-challenge\.pets\.exa/)
  assert.ok(missing.includes(`the value ${target}:`), missing)

  dns.zones.push(zone(ZONE))
  dns.zones[0] = zone('pets.example', [cname(WILDCARD, target)])
  assert.deepEqual(await look(port), [
    `ok: answers for ${ZONE} over UDP and TCP`,
    `ok: ${ZONE} is found by 127.0.0.1:${dns.resolvers[0]!.port}`,
    `ok: ${WILDCARD} leads into ${ZONE}`,
  ])
  const [everywhere] = await look(port, '[::]')
  assert.equal(everywhere, `ok: answers for ${ZONE} over UDP and TCP`, 'few containers have ::1')
  await listener[Symbol.asyncDispose]()
  assert.match((await look(port))[0] ?? '', /^ok: free; the service answers for acme\.pets\.example there/)
})
