import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { ManualClock } from '../platform/clock.ts'
import { ConnectionGate } from './connection-gate.ts'
import { hostResolver, type HostRules } from './hosts.ts'
import { listen } from './http-listener.ts'
import { PlatformSites } from './platform-sites.ts'
import { type DomainDestination, edgeRequests } from './requests.ts'
import { createSiteHandler } from './site/handler.ts'

const rules = {
  baseUrl: new URL('http://api.example.org/v1'),
  stagingUrl: new URL('http://staging.example.org/v1'),
  platformHost: 'pets.example.org',
}
const DOMAINS: Record<string, DomainDestination> = {
  'www.kennel.example': { kind: 'site', projectId: 1, secured: true, hstsSeconds: 3600 },
  'new.kennel.example': { kind: 'site', projectId: 1, secured: false, hstsSeconds: 3600 },
  'www.stopped.example': { kind: 'site', projectId: 5, secured: false, hstsSeconds: undefined },
  'kennel.example': { kind: 'redirect', to: { hostname: 'www.kennel.example', secured: true }, status: 301 },
  'old.kennel.example': { kind: 'redirect', to: { hostname: 'new.kennel.example', secured: false }, status: 302 },
}

const PREVIEWS: Record<string, { projectId: number; manifestId: number }> = {
  'preview-of-kennel': { projectId: 1, manifestId: 1 },
  'preview-of-stopped': { projectId: 5, manifestId: 5 },
}

/** An edge whose project 1 has a site, 2 nothing yet, 3 a live primary domain, 4 a broken look-up; 5 is suspended. */
async function openEdge(scheme: 'http' | 'https', addresses: HostRules = rules) {
  const errors: unknown[] = []
  const file = { path: 'index.html', sha256: '0'.repeat(64), encodings: { identity: 4 } }
  const source = {
    projectAt: async (slug: string) => ({ kennel: 1, empty: 2, moved: 3, broken: 4, stopped: 5 })[slug],
    manifestOf: async (projectId: number) => {
      if (projectId === 4) throw new Error('the database is away')
      return projectId === 2 ? undefined : projectId
    },
    manifestAtPreview: async (label: string) => PREVIEWS[label],
    async *filesOf() {
      yield [file]
    },
  }
  const handle = edgeRequests({
    scheme,
    ports: { http: 80, https: 443 },
    own: (_request, response, environment) => void response.end(environment),
    sites: new PlatformSites(source, new ManualClock(0)),
    serveSite: createSiteHandler({ blobs: { read: async () => Buffer.from('site') } }),
    domains: {
      destinationOf: async (hostname) => DOMAINS[hostname],
      trialOf: async (label) => {
        const projectId = { 'try-it': 1, 'try-stopped': 5 }[label]
        return projectId === undefined ? undefined : { kind: 'site', hostname: 'www.soon.example', projectId }
      },
      livePrimaryOf: (projectId) => (projectId === 3 ? 'www.moved.example' : undefined),
    },
    visited: () => {},
    isSuspended: (projectId) => projectId === 5,
    challengeAnswer: (host, token) => (host === 'kennel.example' && token === 'abc' ? 'abc.thumbprint' : undefined),
    gatewayTo: addresses.sandbox
      ? (hostname) => ({ scheme: 'http', host: `${hostname}.pets.example.org`, port: 4000 })
      : undefined,
    onError: (error) => errors.push(error),
  })
  const resolve = hostResolver(addresses, scheme, scheme === 'http' ? 80 : 443)
  const listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    handle: (request, response) => handle(request, response, resolve(request.headers.host)),
  })
  const ask = (host: string, path = '/') =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const target = { port: listener.port, host: '127.0.0.1', path, headers: { host }, agent: false }
      httpRequest(target, async (response) => {
        const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()
        resolve({ status: response.statusCode as number, headers: response.headers, text })
      })
        .on('error', reject)
        .end()
    })
  return { ask, errors, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() }
}

test('over HTTP, who has a certificate leads to HTTPS, and path and query stay', async () => {
  await using edge = await openEdge('http')
  const cases: [host: string, status: number, locationOrText: string][] = [
    ['api.example.org', 200, 'production'],
    ['staging.example.org', 200, 'staging'],
    ['kennel.pets.example.org', 200, 'site'],
    ['moved.pets.example.org', 308, 'https://www.moved.example/a?b=c'],
    ['www.kennel.example', 308, 'https://www.kennel.example/a?b=c'],
    ['new.kennel.example', 200, 'site'],
    ['kennel.example', 301, 'https://www.kennel.example/a?b=c'],
    ['old.kennel.example', 302, 'http://new.kennel.example/a?b=c'],
  ]
  for (const [host, status, expected] of cases) {
    const { headers, ...answer } = await edge.ask(host, status === 200 ? '/' : '/a?b=c')
    assert.deepEqual([host, answer.status, headers.location ?? answer.text], [host, status, expected])
    assert.equal(headers['strict-transport-security'], undefined)
  }
})

test('in local mode a domain is shown at its gateway, and the platform address does not lead to it', async () => {
  await using edge = await openEdge('http', { ...rules, sandbox: true })
  assert.deepEqual(await edge.ask('moved.pets.example.org').then(({ status, text }) => [status, text]), [200, 'site'])
  const shown = await edge.ask('www.kennel.example.pets.example.org', '/?a=b')
  assert.deepEqual([shown.status, shown.text], [200, 'site'])
  assert.equal(shown.headers['x-petstore-shown-for'], 'https://www.kennel.example/?a=b')
  assert.equal(shown.headers['strict-transport-security'], undefined)
  const early = await edge.ask('new.kennel.example.pets.example.org')
  assert.equal(early.headers['x-petstore-shown-for'], 'http://new.kennel.example/')
  const led = await edge.ask('kennel.example.pets.example.org', '/a?b=c')
  const gateway = 'http://www.kennel.example.pets.example.org:4000/a?b=c'
  assert.deepEqual([led.status, led.headers.location], [301, gateway])
  for (const stranger of ['stranger.example', 'kennel.pets.example.org', 'api.example.org']) {
    assert.equal((await edge.ask(`${stranger}.pets.example.org`)).status, 404)
  }
})

test('over HTTPS the site itself answers, with HSTS where the domain wants it', async () => {
  await using edge = await openEdge('https')
  const { status, headers } = await edge.ask('www.kennel.example')
  assert.deepEqual([status, headers['strict-transport-security']], [200, 'max-age=3600'])
  assert.equal((await edge.ask('kennel.example')).headers.location, 'https://www.kennel.example/')
  assert.equal((await edge.ask('kennel.pets.example.org')).headers['strict-transport-security'], undefined)
})

test('who is not there, has nothing to show, or cannot be looked up gets a page that says so', async () => {
  await using edge = await openEdge('http')
  assert.match((await edge.ask('nobody.pets.example.org')).text, /Nothing is published here/)
  assert.match((await edge.ask('stranger.example')).text, /Nothing is published here/)
  assert.match((await edge.ask('_')).text, /Nothing is published here/)
  assert.match((await edge.ask('empty.pets.example.org')).text, /Nothing has been deployed yet/)
  assert.equal((await edge.ask('broken.pets.example.org')).status, 503)
  assert.match(String(edge.errors[0]), /the database is away/)
})

test('a challenge is answered for its own host only, before any redirect', async () => {
  await using edge = await openEdge('http')
  const path = '/.well-known/acme-challenge/abc'
  assert.equal((await edge.ask('kennel.example', path)).text, 'abc.thumbprint')
  assert.equal((await edge.ask('www.kennel.example', path)).status, 404)
})

test('an address that wants TLS leads people there, and tells programs', async () => {
  const secured = {
    ...rules,
    baseUrl: new URL('https://api.example.org/v1'),
    stagingUrl: new URL('https://api.example.org:8443/v1'),
  }
  await using edge = await openEdge('http', secured)
  const page = await edge.ask('api.example.org', '/projects?from=mail')
  assert.equal(page.status, 308)
  assert.equal(page.headers.location, 'https://api.example.org/projects?from=mail')
  for (const path of ['/v1', '/v1/pets', '/v1/pets?limit=1']) {
    const { status, text } = await edge.ask('api.example.org', path)
    assert.equal(status, 400)
    const { code, message } = JSON.parse(text) as { code: string; message: string }
    assert.equal(code, 'invalid_request')
    assert.match(message, /use https:\/\/api\.example\.org\/v1\.$/)
  }
})

test('a link to try a domain shows its site before DNS leads here, and is for nobody else to find', async () => {
  await using edge = await openEdge('http')
  const shown = await edge.ask('try-it.pets.example.org', '/')
  assert.deepEqual([shown.status, shown.text], [200, 'site'])
  assert.equal(shown.headers['x-robots-tag'], 'noindex')
  assert.equal(shown.headers['x-petstore-shown-for'], 'https://www.soon.example/')
  assert.equal(shown.headers['strict-transport-security'], undefined)
  assert.equal((await edge.ask('try-another.pets.example.org')).status, 404)
})

test('a suspended site says so by every name that leads to it, and shows nothing', async () => {
  await using edge = await openEdge('http')
  await using local = await openEdge('http', { ...rules, sandbox: true })
  const ways = ['stopped', 'preview-of-stopped', 'try-stopped'].map((label) => edge.ask(`${label}.pets.example.org`))
  ways.push(edge.ask('www.stopped.example'), local.ask('www.stopped.example.pets.example.org'))
  for (const { status, text } of await Promise.all(ways)) {
    assert.equal(status, 403)
    assert.match(text, /This site is suspended/)
  }
  assert.equal((await edge.ask('preview-of-kennel.pets.example.org')).text, 'site')
})
