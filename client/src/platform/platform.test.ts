import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Fault, startFaultyProxy } from '../../../test/harness/faulty-proxy.ts'
import { expect, type House, openHouse } from '../../../test/platform-api/house.ts'
import {
  createPlatform,
  type EndedRequest,
  type PageSearch,
  PetstoreAnswerError,
  PetstoreConnectionError,
  PetstoreError,
  type PlatformOptions,
} from './platform.ts'

describe('the client of the management interface', () => {
  let house: House
  let project: string
  let token: string

  before(async () => {
    house = await openHouse()
    const { slug, owner } = await house.project()
    const scopes = ['deploys:write', 'pets:write', 'audit:read']
    project = slug
    token = expect(201, await owner.browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes })).token
  })
  after(() => house?.[Symbol.asyncDispose]())

  const connect = (options: PlatformOptions = {}) =>
    createPlatform({ origin: `http://127.0.0.1:${house.shop.config.baseUrl.port}/`, token, ...options })
  const environment = 'production'
  const newPet = (name: string) => ({ project, environment, body: { name, categoryId: 1 } })

  test('a token is all that a program needs to publish a site', async () => {
    const platform = connect()
    const page = new Blob(['<h1>Hello</h1>'])
    const sha256 = createHash('sha256')
      .update(await page.bytes())
      .digest('hex')
    await platform.call('PUT /projects/{project}/blobs/{sha256}', { project, sha256, body: page })
    const files = [{ path: 'index.html', sha256, bytes: page.size }]
    const deployed = await platform.call('POST /projects/{project}/deploys', { project, body: { files } })
    assert.ok('deploy' in deployed)
    const [newest] = await platform.call('GET /projects/{project}/deploys', { project })
    assert.equal(newest?.id, deployed.deploy.id)
  })

  test('a refusal has its code, and a token does nothing beyond its scopes', async () => {
    const refused = connect().call('GET /projects/{project}/keys', { project })
    await assert.rejects(refused, (error) => error instanceof PetstoreError && error.code === 'forbidden')
    const nobody = connect({ token: undefined }).call('GET /projects/{project}/deploys', { project })
    await assert.rejects(nobody, { code: 'unauthorized', status: 401 })
    assert.throws(() => connect({ token: 'ps_pat_\n' }), /no header can carry/)
  })

  test('lists come page by page, with every digit', async () => {
    const platform = connect()
    const large = 9007199254740993n
    for (const name of ['A', 'B', 'C']) {
      const body = { name, categoryId: large }
      await platform.call('POST /projects/{project}/environments/{environment}/pets', { project, environment, body })
    }
    const seen: string[] = []
    let query: PageSearch | undefined = { limit: '2', categoryId: String(large) }
    while (query) {
      const given: { project: string; environment: string; query: PageSearch } = { project, environment, query }
      const { items, next } = await platform.page('GET /projects/{project}/environments/{environment}/pets', given)
      seen.push(...items.map(({ name, categoryId }) => `${name} ${categoryId}`))
      query = next
    }
    assert.deepEqual(
      seen,
      ['A', 'B', 'C'].map((name) => `${name} ${large}`),
    )
  })

  /** What became of a call whose tries met these faults. */
  async function through(
    faults: Fault[],
    call: (platform: ReturnType<typeof connect>) => Promise<unknown>,
    options: PlatformOptions = { retries: 1 },
  ) {
    await using proxy = await startFaultyProxy(house.shop, faults)
    const isSlow = faults.some((fault) => fault === 'silent' || fault === 'stalled')
    const platform = connect({ origin: proxy.origin, ...options, ...(isSlow && { timeoutMs: 500 }) })
    const error = await call(platform).then(
      () => undefined,
      (failure: unknown) => failure,
    )
    return { error, requests: proxy.requests }
  }
  const read = (platform: ReturnType<typeof connect>) => platform.call('GET /projects/{project}/deploys', { project })
  const add = (platform: ReturnType<typeof connect>) =>
    platform.call('POST /projects/{project}/environments/{environment}/pets', newPet('Once'))

  test('every kind of failure is told apart, and what only reads is asked for again', async () => {
    for (const [fault, reason] of [
      ['cut', 'network'],
      ['cut body', 'cut'],
      ['cut json', 'cut'],
      ['silent', 'timeout'],
      ['stalled', 'timeout'],
    ] as const) {
      const { error, requests } = await through([fault, fault], read)
      assert.ok(error instanceof PetstoreConnectionError, String(error))
      assert.deepEqual([error.reason, requests], [reason, 2], fault)
      const again = await through([fault], read, { retries: 5 })
      assert.equal(again.error, undefined, fault)
      assert.ok(again.requests >= 2, fault)
    }
    for (const fault of ['html', 'welcome'] as const) {
      const { error, requests } = await through([fault], read)
      assert.ok(error instanceof PetstoreAnswerError, String(error))
      assert.equal(requests, 1)
    }
    const { error } = await through(['other json'], (platform) =>
      platform.page('GET /projects/{project}/audit', { project }),
    )
    assert.ok(error instanceof PetstoreAnswerError, String(error))
  })

  test('what adds something is not sent twice where nobody knows whether it was done', async () => {
    for (const fault of ['cut', 'cut body', 'stalled', 'bad gateway', 'unavailable'] as const) {
      const { error, requests } = await through([fault], add)
      assert.ok(error instanceof Error, fault)
      assert.equal(requests, 1, fault)
    }
    assert.deepEqual(await through(['too many'], add), { error: undefined, requests: 2 })
  })

  test('a file is sent again while the places for uploads are taken', async () => {
    const body = new Blob(['again'])
    const sha256 = createHash('sha256').update('again').digest('hex')
    const { error, requests } = await through(['unavailable', 'unavailable', 'unavailable'], (platform) =>
      platform.call('PUT /projects/{project}/blobs/{sha256}', { project, sha256, body }),
    )
    assert.deepEqual([error, requests], [undefined, 4])
  })

  test('a file waits for the other uploads of its project as often as it is told to', async () => {
    const body = new Blob(['later'])
    const sha256 = createHash('sha256').update('later').digest('hex')
    const faults: Fault[] = [...Array<Fault>(9).fill('too many'), 'unavailable']
    const { error, requests } = await through(faults, (platform) =>
      platform.call('PUT /projects/{project}/blobs/{sha256}', { project, sha256, body }),
    )
    assert.deepEqual([error, requests], [undefined, 11])
  })

  test('hooks see each try, with the route as it is named, and may add headers', async () => {
    await using proxy = await startFaultyProxy(house.shop, ['unavailable', 'pass'])
    const ends: EndedRequest[] = []
    const platform = connect({
      origin: proxy.origin,
      onRequest: ({ headers }) => headers.set('traceparent', 'of this test'),
      onAnswer: (end) => ends.push(end),
    })
    await read(platform)
    assert.deepEqual(
      ends.map(({ operation, status }) => [operation, status]),
      [
        ['GET /projects/{project}/deploys', 503],
        ['GET /projects/{project}/deploys', 200],
      ],
    )
    assert.deepEqual(proxy.traceparents, ['of this test', 'of this test'])
  })

  test('an abort ends the wait with its own reason', async () => {
    await using proxy = await startFaultyProxy(house.shop, ['silent'])
    const stop = new AbortController()
    const given = { project, signal: stop.signal }
    const asked = connect({ origin: proxy.origin }).call('GET /projects/{project}/deploys', given)
    const reason = new Error('not needed any more')
    stop.abort(reason)
    await assert.rejects(asked, reason)
  })
})
