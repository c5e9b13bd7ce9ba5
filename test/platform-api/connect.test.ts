import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import { beginConnect, connectOffer, finishConnect } from '../../src/features/domains/connect/apply.ts'
import { discover, type DiscoveryNeeds } from '../../src/features/domains/connect/discovery.ts'
import { addDomain, type DomainActor, showDomain } from '../../src/features/domains/domains.ts'
import { fetchPage, type FetchNeeds } from '../../src/features/domains/live/fetch.ts'
import { openDomainShares } from '../../src/features/domains/observation/shares.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { answerRequest, type ProviderNeeds, readConsent } from '../../src/features/sandbox/provider.ts'
import { addRecord, listSandbox } from '../../src/features/sandbox/sandbox.ts'
import { HOUR_MS, systemClock } from '../../src/platform/clock.ts'
import { sandboxProvider } from '../../src/service/sandbox-provider.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { ADA } from '../domains/world.ts'

const LATER = { now: () => systemClock.now() + 2 * HOUR_MS }

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`one click on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
    })
    after(() => server?.[Symbol.asyncDispose]())

    test('the provider takes what we have signed alone, and who left comes back once and in time', async () => {
      await using shop = await startTestPetstore({
        environment: server ? { DATABASE_URL: await server.createSchema() } : {},
      })
      const { petstore, config } = shop
      await publishOwnSite(petstore)
      const storage = storageOf(petstore.storage, ADA, systemClock)
      const verbs = { ...petstore.domains.verbNeeds, storage }
      const sandbox = { storage, clock: systemClock, changes: petstore.changes }
      const provider: ProviderNeeds = { ...sandboxProvider(config, petstore.domains)!, ...sandbox }
      const project = await findProjectBySlug(petstore.storage.read, 'petstore')
      const actor: DomainActor = { projectId: project!.id, role: 'owner' }
      const ada = { sessionId: 'ses_ada', slug: 'petstore' }
      const record = (name: string, type: string, value: string) =>
        addRecord(sandbox, { apex: 'example.test', name, type, value })
      const recordsOf = async () => (await listSandbox(sandbox)).find(({ apex }) => apex === 'example.test')!.records

      /** To the provider, as a browser takes it. */
      const leave = async (hostname: string) => {
        const { url } = await beginConnect(verbs, actor, { hostname, ...ada })
        const { origin, pathname, search } = new URL(url)
        const [, named = '', service = ''] = /providers\/([^/]+)\/services\/([^/]+)\/apply$/.exec(pathname) ?? []
        assert.equal(origin, config.baseUrl.origin)
        return { provider: named, service, query: search.slice(1) }
      }
      const comeBack = (redirect: string | null, hostname: string, session = 'ses_ada', clock = systemClock) => {
        const url = new URL(redirect as string)
        assert.equal(url.href.split('?')[0], `${config.baseUrl.origin}/projects/petstore/settings/domains/${hostname}`)
        const [state, error, description] = ['state', 'error', 'error_description'].map((name) =>
          url.searchParams.get(name),
        )
        return finishConnect({ ...verbs, clock: { ...systemClock, ...clock } }, actor, {
          hostname,
          sessionId: session,
          state: state as string,
          error: error ?? undefined,
          description: description ?? undefined,
        })
      }
      const strange = { code: 'invalid_request', message: /belongs to no request of yours/ }

      await record('www', 'A', '192.0.2.1')
      await record('mail', 'A', '192.0.2.2')
      await addDomain(verbs, actor, { hostname: 'www.example.test' })
      const offer = await connectOffer(verbs, actor, 'www.example.test')
      assert.deepEqual(offer, {
        offered: true,
        reason: null,
        provider: {
          name: 'Sandbox registrar',
          zone: 'example.test',
          controlPanel: `${config.baseUrl.origin}/sandbox/example.test`,
        },
      })

      const request = await leave('www.example.test')
      const { adds, removes } = await readConsent(provider, request)
      assert.deepEqual(
        adds.map(({ type, name }) => `${type} ${name}`),
        ['CNAME www.example.test'],
      )
      assert.deepEqual(
        removes.map(({ type, value }) => `${type} ${value}`),
        ['A 192.0.2.1'],
      )
      for (const query of [
        request.query.replace(/target=[^&]+/, 'target=somebody-else'),
        request.query.replace(/&sig=[^&]+/, ''),
        request.query.replace(/key=.*$/, 'key=_other'),
      ]) {
        const refused = { code: 'invalid_request', message: /not signed by the service/ }
        await assert.rejects(answerRequest(provider, { ...request, query, consents: true }), refused)
      }
      assert.equal((await recordsOf()).length, 2, 'nothing was written')

      const { redirect } = await answerRequest(provider, { ...request, consents: true })
      assert.deepEqual((await recordsOf()).map(({ type, name }) => `${type} ${name}`).toSorted(), [
        'A mail.example.test',
        'CNAME www.example.test',
      ])
      await assert.rejects(comeBack(redirect, 'www.example.test', 'ses_mallory'), strange)
      await assert.rejects(comeBack(redirect, 'www.example.test', 'ses_ada', LATER as typeof systemClock), strange)
      const { outcome, message } = await comeBack(redirect, 'www.example.test')
      assert.deepEqual(
        [outcome, message],
        ['applied', 'Sandbox registrar has taken the records. We are looking at them now.'],
      )
      await assert.rejects(comeBack(redirect, 'www.example.test'), strange)
      await until('it is live', async () => (await showDomain(verbs, actor, 'www.example.test')).state === 'live')

      // An apex that led here before it was added needs its proof, which comes along.
      await record('@', 'A', '127.0.0.1')
      await addDomain(verbs, actor, { hostname: 'example.test' })
      const apex = await leave('example.test')
      assert.equal(apex.service, 'site-apex')
      const cancelled = await answerRequest(provider, { ...apex, consents: false })
      const other = new URL(cancelled.redirect as string)
      other.pathname = other.pathname.replace('example.test', 'www.example.test')
      await assert.rejects(comeBack(other.href, 'www.example.test'), strange)
      const refusal = await comeBack(cancelled.redirect, 'example.test')
      assert.equal(refusal.outcome, 'refused')
      assert.match(refusal.message, /^Sandbox registrar has not created the records: you have cancelled it there\./)
      assert.equal(refusal.domain.state, 'awaiting dns')
      const again = await answerRequest(provider, { ...(await leave('example.test')), consents: true })
      assert.ok(
        (await recordsOf()).some(
          ({ name, value }) => name === '_petstore.example.test' && /petstore-verify=/.test(value),
        ),
      )
      await comeBack(again.redirect, 'example.test')
      await until('it is live', async () => (await showDomain(verbs, actor, 'example.test')).state === 'live')

      // A domain in use elsewhere is prepared by one click, and switched by another.
      const old = 'old.example.test'
      const stateOf = async () => (await showDomain(verbs, actor, old)).state
      await record('old', 'A', '192.0.2.3')
      await prepareDomain(verbs, actor, { hostname: old })
      assert.equal((await connectOffer(verbs, actor, old)).offered, true)
      const preparation = await leave(old)
      assert.equal(preparation.service, 'prepare')
      const consent = await readConsent(provider, preparation)
      assert.deepEqual(
        [...consent.adds.map(({ type, name }) => `adds ${type} ${name}`), ...consent.removes],
        [`adds TXT _petstore.${old}`, `adds CNAME _acme-challenge.${old}`],
      )
      await comeBack((await answerRequest(provider, { ...preparation, consents: true })).redirect, old)
      await until('it is ready', async () => (await stateOf()) === 'ready')
      const move = await leave(old)
      assert.equal(move.service, 'site')
      await comeBack((await answerRequest(provider, { ...move, consents: true })).redirect, old)
      await until('it is live', async () => (await stateOf()) === 'live')
      const kept = (await recordsOf())
        .filter(({ name }) => name.endsWith(old))
        .map(({ type, name }) => `${type} ${name}`)
      assert.deepEqual(kept.toSorted(), [`CNAME _acme-challenge.${old}`, `CNAME ${old}`, `TXT _petstore.${old}`])
    })
  })
}

describe('discovery', () => {
  const addresses: Record<string, string> = { 'ten.example': '10.0.0.1', 'link.example': '169.254.169.254' }
  const served: FetchNeeds = {
    clock: systemClock,
    addressesOf: async (name) => ({ v4: addresses[name] ? [addresses[name]] : ['127.0.0.1'], v6: [] }),
    own: { addresses: [], ports: { http: 1, https: 1 } },
    trustedPem: async () => [],
  }
  const found = (prefix: string | null, more: Partial<DiscoveryNeeds> = {}) =>
    discover(
      {
        clock: systemClock,
        served,
        shares: openDomainShares(systemClock),
        plainOrigin: undefined,
        lookups: { provider: async () => ({ zone: 'example.test', prefix, questions: 5 }) },
        ...more,
      },
      1,
      'www.example.test',
    )

  test('a zone that names nobody is silent, and one that names a private network or junk is not asked', async () => {
    assert.deepEqual(await found(null), { kind: 'silent' })
    for (const [prefix, reason] of [
      ['ten.example', /10\.0\.0\.1, which is not on the public internet/],
      ['link.example/latest', /169\.254\.169\.254, which is not on the public internet/],
      ['127.0.0.1', /is no hostname/],
      ['public.example:22', /Port 22 is not followed/],
      ['user@public.example', /is no address/],
      ['public.example/?x=', /is no address/],
      ['public.example/../..', /not on the public internet|is no address/],
      ['v=spf1 -all', /is no address/],
    ] as const) {
      const result = await found(prefix)
      assert.equal(result.kind, 'broken', prefix)
      assert.match(result.kind === 'broken' ? result.reason : '', reason, prefix)
    }
  })

  test('of an answer so many bytes are read, in so much time, and no redirect is followed', async () => {
    const asked: string[] = []
    const endless = createServer((request, response) => {
      asked.push(request.url as string)
      if (request.url === '/slow') return void response.write('{')
      if (request.url === '/away') return void response.writeHead(302, { Location: '/secret' }).end()
      const more = () => void (response.write('x'.repeat(10_000)) ? setImmediate(more) : response.once('drain', more))
      more()
      request.socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(endless, 'listening')
    try {
      const { port } = endless.address() as AddressInfo
      const own = { addresses: ['127.0.0.1'], ports: { http: port, https: 1 } }
      const page = (path: string, hopTimeoutMs = HUNG_AFTER_MS) =>
        fetchPage({ ...served, own, hopTimeoutMs }, new URL(`http://provider.example:${port}${path}`), 1000)
      assert.equal((await page('/')).body.length, 1000)
      const slow = await page('/slow', 300)
      assert.ok(slow.body.length <= 1)
      assert.equal((await page('/away')).status, 302)
      assert.deepEqual(asked, ['/', '/slow', '/away'])
    } finally {
      endless.closeAllConnections()
      endless.close()
    }
  })
})
