import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import {
  addDomain,
  type DomainActor,
  makePrimary,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { checkServed, compare } from '../../src/features/domains/live/check.ts'
import { fetchHops, type FetchNeeds } from '../../src/features/domains/live/fetch.ts'
import { troubleshoot } from '../../src/features/domains/live/troubleshoot.ts'
import { showSwitch } from '../../src/features/domains/switch/comparison.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { addRecord } from '../../src/features/sandbox/sandbox.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { switchProtocols } from '../harness/switch-protocols.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { ADA } from './world.ts'

test('the live check tells hop by hop what is really served, and compares it', async () => {
  await using shop = await startTestPetstore()
  const { petstore, config } = shop
  const storage = storageOf(petstore.storage, ADA, systemClock)
  const verbs = { ...petstore.domains.verbNeeds, storage }
  const project = await findProjectBySlug(petstore.storage.read, 'petstore')
  const actor: DomainActor = { projectId: project?.id as number, role: 'owner' }
  const sandbox = { storage, clock: systemClock, changes: petstore.changes }
  const refused = { code: 'conflict', message: /no site of its own yet.*petstore deploy DIRECTORY/ }
  await assert.rejects(addDomain(verbs, actor, { hostname: 'www.example.test' }), refused)
  await publishOwnSite(petstore)

  for (const hostname of ['www.example.test', 'shop.example.test']) {
    const { record } = (await addDomain(verbs, actor, { hostname })).record
    await addRecord(sandbox, { apex: 'example.test', name: record.name, type: record.type, value: record.value })
    assert.deepEqual(
      (await checkServed(verbs, actor, hostname)).findings.map(({ code }) => code),
      ['not_verified'],
    )
    await verifyDomain(verbs, actor, hostname)
    await until(`${hostname} is live`, async () => (await showDomain(verbs, actor, hostname)).state === 'live')
  }
  await petstore.changes.catchUp()

  const primary = await checkServed(verbs, actor, 'www.example.test')
  const [http, https] = [Number(config.baseUrl.port), config.httpsPort]
  assert.deepEqual(
    primary.hops.map(({ url, status }) => [url, status]),
    [
      [`http://www.example.test:${http}/`, 308],
      [`https://www.example.test:${https}/`, 200],
    ],
  )
  assert.deepEqual(primary.findings, [])
  assert.equal(primary.agrees, true)
  const { certificate } = await showDomain(verbs, actor, 'www.example.test')
  assert.equal(primary.hops[1]?.certificate?.serial, certificate?.serial)
  assert.equal(primary.hops[1]?.certificate?.distrust, null, 'the root of this installation is known here')
  assert.ok(primary.hops[1]?.headers.some(([name]) => name.toLowerCase() === 'content-type'))

  const redirect = await checkServed(verbs, actor, 'shop.example.test')
  assert.deepEqual(redirect.findings, [])
  assert.deepEqual(
    redirect.hops.map(({ url, status }) => [url, status]),
    [
      [`http://shop.example.test:${http}/`, 301],
      [`https://www.example.test:${https}/`, 200],
    ],
  )

  // Of a wildcard, a name that it stands for; nobody can be asked for an asterisk.
  const wildcard = await addDomain(verbs, actor, { hostname: '*.cats.example.test' })
  for (const { fullName, type, value } of [wildcard.record.record, wildcard.record.challenge!]) {
    await addRecord(sandbox, { apex: 'example.test', name: `${fullName}.`, type, value })
  }
  await verifyDomain(verbs, actor, '*.cats.example.test')
  await until('the wildcard is live', async () => {
    return (await showDomain(verbs, actor, '*.cats.example.test')).state === 'live'
  })
  const found = await troubleshoot(verbs, actor, '*.cats.example.test')
  assert.deepEqual(
    found.live.hops.map(({ url, status }) => [url, status]),
    [
      [`http://petstore-check.cats.example.test:${http}/`, 308],
      [`https://petstore-check.cats.example.test:${https}/`, 200],
    ],
  )
  assert.deepEqual(found.live.findings, [])
  assert.match(
    found.steps.at(-1)?.finding ?? '',
    /^petstore-check\.cats\.example\.test was asked, .* as they should be/,
  )
  const { curl } = await showSwitch(verbs, actor, '*.cats.example.test')
  assert.match(curl ?? '', /https:\/\/petstore-check\.cats\.example\.test:/)

  // As with an authority that is not known here: neither the internal CA is blamed, nor OpenSSL quoted.
  const unknown = { ...verbs, served: { ...verbs.served, trustedPem: async () => [] } }
  const [finding] = (await checkServed(unknown, actor, 'www.example.test')).findings
  assert.equal(finding?.code, 'certificate_distrusted')
  assert.match(finding.message, /it was issued by Petstore internal CA, which is none of the authorities that browsers/)
  assert.match(finding.fix, /the root of that authority was imported/)
  assert.doesNotMatch(JSON.stringify(finding), /[A-Z]{3,}_[A-Z]/)

  await makePrimary(verbs, actor, 'shop.example.test')
  assert.deepEqual(
    (await checkServed(verbs, actor, 'www.example.test')).hops.map(({ status }) => status),
    [301, 200],
  )

  await removeDomain(verbs, actor, { hostname: 'www.example.test' })
  await assert.rejects(checkServed(verbs, actor, 'www.example.test'), { code: 'not_found' })
  const gone = await fetchHops(verbs.served, `https://www.example.test:${https}/`)
  assert.match(gone[0]?.error ?? '', /knows no certificate|failed/)
})

test('a certificate that is not the stored one, and redirects that go in a circle, are named', () => {
  const view = {
    hostname: 'www.example.test',
    visitName: 'www.example.test',
    verifiedAt: '2026-11-15T00:00:00.000Z',
    provedAt: null,
    redirect: null,
    issuance: null,
    certificate: {
      serial: '01',
      fingerprint: 'AA',
      issuer: 'CN=Ours',
      authority: null,
      isFallback: false,
      notBefore: '',
      notAfter: '',
      renewAt: '',
    },
  } as unknown as Parameters<typeof compare>[0]
  const hop = (url: string, status: number, location?: string, fingerprint?: string) => ({
    url,
    status,
    address: '192.0.2.1',
    error: null,
    durationMs: 1,
    headers: location === undefined ? [] : ([['Location', location]] as [string, string][]),
    certificate:
      fingerprint === undefined
        ? null
        : {
            subject: '',
            names: [],
            issuer: 'CN=Theirs',
            serial: '02',
            notBefore: '',
            notAfter: '2027',
            fingerprint,
            distrust: null,
            distrustFix: null,
          },
  })
  const codes = (...hops: ReturnType<typeof hop>[]) => compare(view, hops, true).map(({ code }) => code)
  assert.deepEqual(codes(hop('https://www.example.test/', 200, undefined, 'AA')), [])
  assert.deepEqual(codes(hop('https://www.example.test/', 200, undefined, 'BB')), ['certificate_differs'])
  const [a, b] = ['http://www.example.test/', 'https://www.example.test/']
  assert.deepEqual(codes(hop(a, 301, b), hop(b, 301, a, 'AA')), ['redirect_loop'])
  assert.deepEqual(codes(hop(a, 200)), ['not_secured'])
  assert.deepEqual(codes(hop(a, 308, b), hop(b, 404, undefined, 'AA')), ['error_status'])

  const prepared = { ...view, verifiedAt: null, preparedAt: view.verifiedAt, provedAt: view.verifiedAt }
  const [elsewhere] = compare(prepared, [hop(a, 308, b), hop(b, 200, undefined, 'BB')], false)
  assert.deepEqual([elsewhere?.code, /change the record when you like/.test(elsewhere!.fix)], ['not_switched', true])
  const [early] = compare({ ...prepared, certificate: null }, [hop(a, 200)], false)
  assert.match(early?.fix ?? '', /^Leave the record as it is/)
  assert.deepEqual(compare(prepared, [hop(b, 200, undefined, 'AA')], true), [], 'visitors come before it is verified')
  const [unproved] = compare({ ...prepared, provedAt: null }, [hop(a, 200)], false)
  assert.match(unproved?.fix ?? '', /leave its own record as it is/)
})

test('the live check connects to no private address and no other port, however it is spelled', async () => {
  const hits: string[] = []
  const inside = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('secret')
  }).listen(0, '127.0.0.1')
  await once(inside, 'listening')
  const { port } = inside.address() as AddressInfo
  const addresses: Record<string, string> = {
    'loop.example': '127.0.0.1',
    'ten.example': '10.0.0.1',
    'link.example': '169.254.169.254',
    'mapped.example': '::ffff:127.0.0.1',
    'six.example': '::1',
    'zero.example': '0.0.0.0',
  }
  const options: FetchNeeds = {
    clock: systemClock,
    addressesOf: async (hostname) => ({ v4: [addresses[hostname] ?? ''].filter(Boolean), v6: [] }),
    own: { addresses: ['127.0.0.1'], ports: { http: 4000, https: 4443 } },
    trustedPem: async () => [],
    hopTimeoutMs: HUNG_AFTER_MS,
  }
  const urls = [
    ...Object.keys(addresses).flatMap((host) => [`http://${host}/`, `http://${host}:${port}/`, `https://${host}/`]),
    `http://127.0.0.1:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0x7f.1/`,
    `http://localhost:${port}/`,
    'file:///etc/passwd',
    `http://user:password@loop.example:${port}/`,
  ]
  for (const url of urls) {
    const [hop] = await fetchHops(options, url)
    assert.equal(hop?.address, null, url)
    assert.notEqual(hop?.error, null, url)
  }
  assert.deepEqual(hits, [])

  // A redirect of somebody else is followed only as far.
  const outside = createServer((_, response) => {
    response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end()
  })
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const http = (outside.address() as AddressInfo).port
  const own = { addresses: ['127.0.0.1'], ports: { http, https: 4443 } }
  const hops = await fetchHops({ ...options, own }, `http://loop.example:${http}/`)
  assert.equal(hops.length, 2)
  assert.match(hops[1]?.error ?? '', /is no hostname/)
  assert.deepEqual(hits, [])
  inside.close()
  outside.close()
})

test('a site that switches protocols has no answer, and nobody waits for one', async () => {
  const server = createServer((_, response) => switchProtocols(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const needs: FetchNeeds = {
    clock: systemClock,
    addressesOf: async () => ({ v4: ['127.0.0.1'], v6: [] }),
    own: { addresses: ['127.0.0.1'], ports: { http: port, https: 1 } },
    trustedPem: async () => [],
    hopTimeoutMs: HUNG_AFTER_MS,
  }
  const [hop] = await fetchHops(needs, `http://www.example.test:${port}/`)
  assert.equal(hop?.status, null)
  assert.match(hop?.error ?? '', /answered 101 Switching Protocols/)
  server.close()
})
